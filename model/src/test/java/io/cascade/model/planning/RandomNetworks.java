package io.cascade.model.planning;

import io.cascade.model.cascade.SetupMode;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Small networks and requests, reproducible from a seed. Source and destination are {@code s} and
 * {@code d}.
 */
final class RandomNetworks {

  private final Random random;

  RandomNetworks(long seed) {
    random = new Random(seed);
  }

  /** Up to five relays; most pairs have a link. */
  Topology topology() {
    List<String> nodes = new ArrayList<>(List.of("s", "d"));
    int relays = 1 + random.nextInt(5);
    for (int i = 0; i < relays; i++) {
      nodes.add("r" + i);
    }
    Topology.Builder builder = Topology.builder().link("s", "d", link());
    for (String from : nodes) {
      for (String to : nodes) {
        boolean direct = from.equals("s") && to.equals("d");
        if (!from.equals(to) && !direct && random.nextInt(4) > 0) {
          builder.link(from, to, link());
        }
      }
    }
    return builder.build();
  }

  /** The same network on random terms: sites, prices, and capacity that is partly promised. */
  Topology onTerms(Topology topology) {
    Topology.Builder builder = Topology.builder();
    for (NodePath link : links(topology)) {
      String from = link.nodes().getFirst();
      String to = link.nodes().getLast();
      builder.link(from, to, topology.link(from, to).orElseThrow());
      if (random.nextInt(4) == 0) {
        builder.terms(from, to, linkTerms());
      }
    }
    for (String relay : topology.nodes()) {
      if (relay.startsWith("r")) {
        builder.terms(relay, relayTerms());
      }
    }
    return builder.build();
  }

  private RelayTerms relayTerms() {
    RelayTerms terms =
        RelayTerms.FREE
            .at(random.nextBoolean() ? "east" : "west")
            .withPrices(random.nextInt(5) * 0.1, random.nextInt(5) * 0.02);
    return random.nextInt(3) == 0 ? terms.withFree(random.nextInt(8) * 1e6) : terms;
  }

  private LinkTerms linkTerms() {
    LinkTerms terms = LinkTerms.USUAL.withPrice(random.nextInt(5) * 0.03);
    return random.nextBoolean() ? terms.withFree(random.nextInt(8) * 1e6) : terms;
  }

  /** Some of the limits there are. */
  RouteQuestion.Builder limited(RouteQuestion request) {
    RouteQuestion.Builder builder =
        RouteQuestion.between("s", "d")
            .maxRelays(request.maxRelays())
            .setup(request.setup())
            .relayDelaySeconds(request.relayDelaySeconds())
            .congestionControl(request.directControl(), request.hopControl());
    request.bytes().ifPresent(builder::bytes);
    if (random.nextInt(3) == 0) {
      builder.forbiddenSites(Set.of("west"));
    }
    if (random.nextInt(3) == 0) {
      builder.mostPricePerHour(random.nextInt(8) * 0.1);
    }
    if (random.nextInt(3) > 0) {
      builder.mostPricePerGibibyte(random.nextDouble() * 0.3);
    }
    return builder;
  }

  /** A goodput that some ways reach and others do not. */
  Rate someRate() {
    return new Rate(2e5 * Math.pow(100, random.nextDouble()));
  }

  LinkEstimate link() {
    LossEstimate loss = new LossEstimate(random.nextInt(30), 1000 + random.nextInt(20_000));
    LinkEstimate link = LinkEstimate.of(Duration.ofMillis(2 + random.nextInt(200)), loss);
    return random.nextBoolean()
        ? link
        : link.withCapacity(Rate.ofMegabits(1 + random.nextInt(200)));
  }

  /** A transfer between 1 kB and 10 GB, or now and then a stream. */
  RouteQuestion request() {
    SetupMode[] modes = SetupMode.values();
    RouteQuestion.Builder builder =
        RouteQuestion.between("s", "d")
            .maxRelays(1 + random.nextInt(4))
            .setup(modes[random.nextInt(modes.length)])
            .relayDelaySeconds(random.nextBoolean() ? 0 : 0.002)
            .congestionControl(
                CongestionControl.CUBIC,
                random.nextBoolean() ? CongestionControl.CUBIC : CongestionControl.RENO);
    if (random.nextInt(4) > 0) {
      builder.bytes((long) (1000 * Math.pow(1e7, random.nextDouble())));
    }
    return builder.build();
  }

  /** The same network with one link, chosen at random, made worse. */
  Topology withOneLinkWorse(Topology topology) {
    List<NodePath> links = links(topology);
    NodePath chosen = links.get(random.nextInt(links.size()));
    Topology.Builder builder = Topology.builder();
    for (NodePath link : links) {
      String from = link.nodes().getFirst();
      String to = link.nodes().getLast();
      LinkEstimate estimate = topology.link(from, to).orElseThrow();
      builder.link(from, to, link.equals(chosen) ? worse(estimate) : estimate);
    }
    return builder.build();
  }

  static List<NodePath> links(Topology topology) {
    List<NodePath> links = new ArrayList<>();
    for (String from : topology.nodes()) {
      for (String to : topology.linksFrom(from).keySet()) {
        links.add(new NodePath(List.of(from, to)));
      }
    }
    return links;
  }

  /** Every route through relays that the request allows. */
  static List<NodePath> cascades(Topology topology, RouteQuestion request) {
    List<NodePath> routes = new ArrayList<>();
    extend(new ArrayList<>(List.of(request.source())), topology, request, routes);
    return routes;
  }

  private static void extend(
      List<String> nodes, Topology topology, RouteQuestion request, List<NodePath> routes) {
    for (String next : topology.linksFrom(nodes.getLast()).keySet()) {
      if (next.equals(request.destination())) {
        if (nodes.size() > 1) {
          List<String> complete = new ArrayList<>(nodes);
          complete.add(next);
          routes.add(new NodePath(complete));
        }
      } else if (!nodes.contains(next)
          && !request.avoid().contains(next)
          && nodes.size() <= request.maxRelays()) {
        List<String> longer = new ArrayList<>(nodes);
        longer.add(next);
        extend(longer, topology, request, routes);
      }
    }
  }

  private LinkEstimate worse(LinkEstimate link) {
    return switch (random.nextInt(2)) {
      case 0 -> new LinkEstimate(link.rtt().multipliedBy(2), link.loss(), link.capacity());
      default ->
          link.withLoss(
              new LossEstimate(
                  Math.min(link.loss().sent(), 3 * link.loss().lost() + 1), link.loss().sent()));
    };
  }
}
