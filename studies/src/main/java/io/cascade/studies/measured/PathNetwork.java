package io.cascade.studies.measured;

import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Rate;
import io.cascade.studies.experiment.PathLink;
import io.cascade.studies.measured.EmulatedPath.Bottleneck;
import io.cascade.studies.measured.EmulatedPath.Ends;
import io.cascade.studies.measured.EmulatedPath.Layout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The links of a path as the topology of a lab, and the model's predictions for ways over them from
 * all link parameters. On the path, relays are at routers that the direct way crosses. Off the
 * path, every pair of sites has its own link, and the bottleneck is a link that all traffic of the
 * client or of the server shares.
 */
final class PathNetwork {
  static final String CLIENT = "client";
  static final String SERVER = "server";

  /** Names of the relays on the hosts of client and server. */
  static final String NEAR_RELAY = "home";

  static final String FAR_RELAY = "dock";

  private static final String ROUTER = "router";
  private static final double ROUTER_RTT_MILLIS = 1;
  private static final double LEAST_RTT_MILLIS = 0.5;
  private static final double FASTER = 3;
  private static final double MOST_MEGABITS = 150;
  private static final double DIRECT_SECONDS = 14;
  private static final long LEAST_BYTES = 1 << 20;
  private static final long MOST_BYTES = 96L << 20;

  private final EmulatedPath path;
  private final List<Double> places = new ArrayList<>();
  private final List<String> sites = new ArrayList<>();

  PathNetwork(EmulatedPath path) {
    this.path = path;
    sites.add(CLIENT);
    places.add(0.0);
    sites.addAll(path.relays());
    places.addAll(path.places());
    sites.add(SERVER);
    places.add(1.0);
  }

  /** A link with its ends. */
  private record Placed(String from, String to, PathLink link) {}

  Topology topology(String name) {
    List<SiteSpec> specs = new ArrayList<>();
    boolean ends = path.ends() == Ends.RELAYS;
    specs.add(new SiteSpec(CLIENT, path.control(), ends ? List.of(NEAR_RELAY) : List.of()));
    path.relays()
        .forEach(relay -> specs.add(new SiteSpec(relay, path.relayControl(), List.of(relay))));
    specs.add(new SiteSpec(SERVER, path.control(), ends ? List.of(FAR_RELAY) : List.of()));
    if (hasRouter()) {
      specs.add(new SiteSpec(ROUTER, path.control(), List.of()));
    }
    List<LinkSpec> links =
        placed().stream()
            .map(placed ->
                new LinkSpec(
                    placed.from(), placed.to(), shape(placed.link(), true), backward(placed)))
            .toList();
    return new Topology(name, path.seed(), specs, links, CLIENT, List.of());
  }

  private LinkShape backward(Placed placed) {
    return shape(placed.link(), path.lossBothWays());
  }

  private LinkShape shape(PathLink link, boolean lossy) {
    LinkShape shape =
        LinkShape.of(
            Duration.ofNanos(Math.round(link.rttSeconds() * 5e8)),
            Math.round(link.bitsPerSecond()));
    double loss = link.lossProbability();
    if (!lossy || loss == 0) {
      return shape;
    }
    return shape.withLoss(
        path.burst() == 1
            ? new Loss.Bernoulli(loss)
            : Loss.GilbertElliott.bursts(loss, path.burst()));
  }

  private boolean hasRouter() {
    return path.layout() == Layout.OFF_PATH && path.bottleneck() != Bottleneck.NONE;
  }

  private List<Placed> placed() {
    List<Placed> links = new ArrayList<>();
    if (path.layout() == Layout.ON_PATH) {
      for (int i = 0; i + 1 < sites.size(); i++) {
        links.add(new Placed(sites.get(i), sites.get(i + 1), link(i, i + 1)));
      }
      return links;
    }
    if (hasRouter()) {
      boolean atClient = path.bottleneck() == Bottleneck.CLIENT;
      links.add(new Placed(atClient ? CLIENT : ROUTER, atClient ? ROUTER : SERVER, routerLink()));
    }
    for (int from = 0; from < sites.size(); from++) {
      for (int to = from + 1; to < sites.size(); to++) {
        links.add(new Placed(routed(from), routed(to), link(from, to)));
      }
    }
    return links;
  }

  private String routed(int site) {
    boolean behind =
        hasRouter() && site == (path.bottleneck() == Bottleneck.CLIENT ? 0 : sites.size() - 1);
    return behind ? ROUTER : sites.get(site);
  }

  private PathLink routerLink() {
    return pathLink(ROUTER_RTT_MILLIS, 0, path.megabits());
  }

  /** Returns the link between two sites without routers between them. */
  private PathLink link(int from, int to) {
    boolean direct = from == 0 && to == sites.size() - 1;
    double share = places.get(to) - places.get(from);
    boolean straight = path.layout() == Layout.ON_PATH || direct;
    double rtt =
        Math.max(LEAST_RTT_MILLIS, path.rttMillis() * share * (straight ? 1 : path.detour()));
    double whole = path.loss() * (straight ? 1 : path.detourLoss());
    double loss =
        direct
            ? whole
            : switch (path.lossAt()) {
              case EVENLY -> 1 - Math.pow(1 - whole, share);
              case FIRST_LINK -> from == 0 ? whole : 0;
              case LAST_LINK -> to == sites.size() - 1 ? whole : 0;
            };
    boolean slow =
        switch (path.bottleneck()) {
          case NONE -> true;
          case CLIENT -> path.layout() == Layout.ON_PATH && from == 0;
          case SERVER -> path.layout() == Layout.ON_PATH && to == sites.size() - 1;
        };
    return pathLink(
        rtt, loss, slow ? path.megabits() : Math.min(FASTER * path.megabits(), MOST_MEGABITS));
  }

  private static PathLink pathLink(double rttMillis, double loss, double megabits) {
    return new PathLink(
        rttMillis / 1e3,
        loss,
        megabits * 1e6,
        LinkShape.bandwidthDelayBytes(
            Duration.ofNanos(Math.round(rttMillis * 1e6)), Math.round(megabits * 1e6)));
  }

  /** Links that a connection from one site to another crosses. */
  private List<PathLink> between(int from, int to) {
    List<PathLink> links = new ArrayList<>();
    if (path.layout() == Layout.ON_PATH) {
      for (int i = from; i < to; i++) {
        links.add(link(i, i + 1));
      }
      return links;
    }
    links.add(link(from, to));
    if (hasRouter()
        && (!routed(from).equals(sites.get(from)) || !routed(to).equals(sites.get(to)))) {
      links.add(routerLink());
    }
    return links;
  }

  /** Places in the path of the relays of a way and of its end. */
  private List<Integer> stops(Way way) {
    List<Integer> stops = new ArrayList<>();
    for (String relay : way.relays()) {
      switch (relay) {
        case NEAR_RELAY, FAR_RELAY -> {} // On the hosts of client and server.
        default -> stops.add(sites.indexOf(relay));
      }
    }
    stops.add(sites.size() - 1);
    return stops;
  }

  /**
   * Returns the rate of a transfer over a way that the model predicts from all link parameters.
   *
   * @return bits per second over the whole duration of the transfer
   */
  double expectedBitsPerSecond(Way way, long bytes) {
    return 8 * bytes / cascade(way).deliver(bytes).totalSeconds();
  }

  private Cascade cascade(Way way) {
    List<Hop> hops = new ArrayList<>();
    int from = 0;
    for (int to : stops(way)) {
      PathLink whole = PathLink.inSeries(between(from, to));
      String sender = hops.isEmpty() ? path.control() : path.relayControl();
      hops.add(
          // A burst of losses is one congestion event.
          Hop.of(whole.rttSeconds(), whole.lossProbability() / path.burst())
              .withCapacity(Rate.ofMegabits(whole.bitsPerSecond() / 1e6))
              .withModel(CongestionControl.named(sender).orElseThrow().model()));
      from = to;
    }
    return Cascade.of(hops);
  }

  /**
   * File size that the direct way carries in {@value #DIRECT_SECONDS} s at the rate that the model
   * predicts.
   */
  long bytes() {
    double steady = cascade(Way.DIRECT).steadyBitsPerSecond();
    return Math.clamp(Math.round(steady * DIRECT_SECONDS / 8), LEAST_BYTES, MOST_BYTES);
  }

  /** Every way through relays between client and server, in the order of the path. */
  List<Way> ways() {
    List<String> relays = path.relays();
    List<Way> ways = new ArrayList<>();
    for (int chosen = 1; chosen < 1 << relays.size(); chosen++) {
      List<String> some = new ArrayList<>();
      for (int i = 0; i < relays.size(); i++) {
        if ((chosen & 1 << i) != 0) {
          some.add(relays.get(i));
        }
      }
      ways.add(new Way(some));
    }
    return ways;
  }

  /**
   * The way through relays for which the model predicts the highest rate from all link parameters.
   */
  Way expectedBest(long bytes) {
    return ways().stream()
        .max(Comparator.comparingDouble(way -> expectedBitsPerSecond(way, bytes)))
        .orElseThrow();
  }
}
