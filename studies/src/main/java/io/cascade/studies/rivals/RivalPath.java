package io.cascade.studies.rivals;

import io.cascade.lab.ShippedTopologies;
import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A row of links from a client to a server, and the file to transfer.
 *
 * @param name names the path in result files and tables
 * @param seed of the links' losses and of the file
 * @param bytes of the file, at least 1
 * @param udp filter of UDP on the path
 * @param udpMegabits rate of UDP that each host admits if it is policed, in Mbit/s
 * @param hops from the client to the server; an orchestrator runs where one of them has a relay
 */
record RivalPath(String name, long seed, long bytes, Udp udp, double udpMegabits, List<Hop> hops) {
  static final String CLIENT = "client";
  static final String SERVER = "server";

  /** Congestion control of all hosts. */
  static final String CONTROL = "cubic";

  /** Filter of UDP on a path. */
  enum Udp {
    FREE,
    BLOCKED,
    POLICED
  }

  /**
   * A link with the same properties in both directions, and the site at its end.
   *
   * @param to the site's name
   * @param relay whether a relay of that name runs there
   * @param rttMillis round trip without queue
   * @param megabits rate in Mbit/s of IP packets
   * @param loss share of the packets in each direction, 0 to 1
   * @param burst mean number of consecutive packets that are lost; 1 for independent losses
   * @param queueBytes in front of the link, at least one packet
   */
  record Hop(
      String to,
      boolean relay,
      double rttMillis,
      double megabits,
      double loss,
      double burst,
      long queueBytes) {
    private LinkShape shape() {
      LinkShape shape =
          LinkShape.of(Duration.ofNanos(Math.round(rttMillis * 5e5)), Math.round(megabits * 1e6))
              .withQueueBytes(queueBytes);
      if (loss == 0) {
        return shape;
      }
      return shape.withLoss(
          burst == 1 ? new Loss.Bernoulli(loss) : Loss.GilbertElliott.bursts(loss, burst));
    }
  }

  /** Copies the list. */
  RivalPath {
    hops = List.copyOf(hops);
  }

  /** The path of {@code ./cascade demo}. */
  static RivalPath demo(long bytes) {
    return demo(bytes, Udp.FREE, 0);
  }

  /** The path of {@code ./cascade demo} without UDP. */
  static RivalPath demoWithoutUdp(long bytes) {
    return demo(bytes, Udp.BLOCKED, 0);
  }

  /** The path of {@code ./cascade demo}, on which every host admits 1 Mbit/s of UDP. */
  static RivalPath demoWithLittleUdp(long bytes) {
    return demo(bytes, Udp.POLICED, 1);
  }

  private static RivalPath demo(long bytes, Udp udp, double udpMegabits) {
    Topology wan = ShippedTopologies.wan();
    List<Hop> hops =
        wan.links().stream()
            .map(link ->
                new Hop(
                    link.to(),
                    !wan.site(link.to()).relays().isEmpty(),
                    link.forward().delay().toNanos() / 5e5,
                    link.forward().bitsPerSecond() / 1e6,
                    link.forward().loss().meanProbability(),
                    1,
                    link.forward().queueBytes()))
            .toList();
    String name = "demo " + size(bytes) + filter(udp, udpMegabits);
    return new RivalPath(name, 1, bytes, udp, udpMegabits, hops);
  }

  /** The network of the path, in a lab of the given name. */
  Topology topology(String lab) {
    List<SiteSpec> sites = new ArrayList<>(List.of(new SiteSpec(CLIENT, CONTROL, List.of())));
    List<LinkSpec> links = new ArrayList<>();
    String from = CLIENT;
    for (Hop hop : hops) {
      sites.add(new SiteSpec(hop.to(), CONTROL, hop.relay() ? List.of(hop.to()) : List.of()));
      links.add(LinkSpec.symmetric(from, hop.to(), hop.shape()));
      from = hop.to();
    }
    return new Topology(
        lab, seed, sites, links, relays().isEmpty() ? null : relays().getFirst(), List.of());
  }

  /** Relays in the order of the path. */
  List<String> relays() {
    return hops.stream().filter(Hop::relay).map(Hop::to).toList();
  }

  /** The site next to the server. */
  String lastButServer() {
    return hops.size() == 1 ? CLIENT : hops.get(hops.size() - 2).to();
  }

  /** Round trip without queues. */
  double rttSeconds() {
    return hops.stream().mapToDouble(Hop::rttMillis).sum() / 1e3;
  }

  /** Rate of the slowest link. */
  double bottleneckMegabits() {
    return bottleneck().megabits();
  }

  private Hop bottleneck() {
    return hops.stream()
        .reduce((least, hop) -> hop.megabits() < least.megabits() ? hop : least)
        .orElseThrow();
  }

  /** Share of the packets from the client that is lost. */
  double loss() {
    return 1 - hops.stream().mapToDouble(hop -> 1 - hop.loss()).reduce(1, (a, b) -> a * b);
  }

  /** Describes the path in a table. */
  String words() {
    double most = hops.stream().mapToDouble(Hop::burst).max().orElse(1);
    double bdpBytes = bottleneckMegabits() * 1e6 / 8 * rttSeconds();
    return String.format(
        Locale.ROOT,
        "%.0f Mbit/s at link %d of %d, %.0f ms, %s loss%s, queue %.1f BDP, %s%s",
        bottleneckMegabits(),
        hops.indexOf(bottleneck()) + 1,
        hops.size(),
        1e3 * rttSeconds(),
        loss() == 0 ? "no" : String.format(Locale.ROOT, "%.2g %%", 100 * loss()),
        most == 1 ? "" : String.format(Locale.ROOT, " in bursts of %.0f", most),
        bottleneck().queueBytes() / bdpBytes,
        relays().isEmpty()
            ? "no relays"
            : relays().size() == 1 ? "a relay" + places() : relays().size() + " relays" + places(),
        filter(udp, udpMegabits));
  }

  private static String filter(Udp udp, double udpMegabits) {
    return switch (udp) {
      case FREE -> "";
      case BLOCKED -> ", UDP blocked";
      case POLICED -> String.format(Locale.ROOT, ", UDP policed to %.1f Mbit/s", udpMegabits);
    };
  }

  private String places() {
    double[] way = {0};
    return hops.stream()
        .peek(hop -> way[0] += hop.rttMillis())
        .filter(Hop::relay)
        .map(hop -> String.format(Locale.ROOT, "%.0f", way[0] / rttSeconds() / 10))
        .collect(Collectors.joining(", ", " at ", " % of the way"));
  }

  /** Describes the file's size in a table. */
  String size() {
    return size(bytes);
  }

  private static String size(long bytes) {
    return bytes < 999_500
        ? String.format(Locale.ROOT, "%.0f kB", bytes / 1e3)
        : bytes < 9_950_000
            ? String.format(Locale.ROOT, "%.1f MB", bytes / 1e6)
            : String.format(Locale.ROOT, "%.0f MB", bytes / 1e6);
  }
}
