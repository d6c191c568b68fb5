package io.cascade.studies.experiment;

import io.cascade.lab.Lab;
import io.cascade.lab.LabStatistics;
import io.cascade.lab.Site;
import io.cascade.lab.Topology;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.model.tcp.CongestionControl;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A lab whose sites are in a line from source to destination. Every site between has a relay, and
 * the orchestrator is at the source. Links beyond those of a run's path are unlimited.
 */
final class SiteLine implements AutoCloseable {
  /** Size of a full IP packet over its size in Ethernet. */
  private static final double ETHERNET_SHARE = 1500.0 / 1538;

  /** Least, default and largest socket buffers, for the largest windows of the experiments. */
  private static final String BUFFERS = "4096 262144 33554432";

  private final Lab lab;
  private final int relays;

  private SiteLine(Lab lab, int relays) {
    this.lab = lab;
    this.relays = relays;
  }

  /**
   * Brings a line up.
   *
   * @param name of the lab; no other on this machine has it
   */
  static SiteLine up(String name, int relays, long seed) throws Exception {
    SiteLine line = new SiteLine(Lab.up(topology(name, relays, seed)), relays);
    try {
      for (int i = 0; i <= relays + 1; i++) {
        // Metrics of the path from one run must not affect the next run.
        SiteSettings.set(line.site(i), "ipv4/tcp_no_metrics_save", "1");
        SiteSettings.set(line.site(i), "ipv4/tcp_rmem", BUFFERS);
        SiteSettings.set(line.site(i), "ipv4/tcp_wmem", BUFFERS);
      }
    } catch (Exception e) {
      line.close();
      throw e;
    }
    return line;
  }

  private static Topology topology(String name, int relays, long seed) {
    List<Topology.SiteSpec> sites = new ArrayList<>();
    List<Topology.LinkSpec> links = new ArrayList<>();
    for (int i = 0; i <= relays + 1; i++) {
      boolean relay = i > 0 && i <= relays;
      sites.add(
          new Topology.SiteSpec(siteName(i, relays), "reno", relay ? List.of("r" + i) : List.of()));
      if (i > 0) {
        links.add(
            Topology.LinkSpec.symmetric(siteName(i - 1, relays), siteName(i, relays), passing()));
      }
    }
    return new Topology(name, seed, sites, links, "source", List.of());
  }

  private static String siteName(int index, int relays) {
    return index == 0 ? "source" : index > relays ? "destination" : "site" + index;
  }

  private static LinkShape passing() {
    return LinkShape.of(Duration.ZERO, LinkShape.UNLIMITED).withQueueBytes(4 << 20);
  }

  int relays() {
    return relays;
  }

  Site source() {
    return site(0);
  }

  Site destination() {
    return site(relays + 1);
  }

  /**
   * @param index 0 for the source, then the relays' sites, then the destination
   */
  Site site(int index) {
    return lab.site(siteName(index, relays));
  }

  /** HTTP client for the orchestrator, from its own site. */
  SiteHttp orchestrator() {
    return new SiteHttp(source(), lab.orchestrator().orElseThrow(), lab.token());
  }

  /** HTTP client for a relay's control endpoint, from the relay's own site. */
  SiteHttp relay(int number, URI control) {
    return new SiteHttp(site(number), control, lab.token());
  }

  /** Sets the congestion control of a site's new connections. */
  static void control(Site site, CongestionControl control) throws Exception {
    SiteSettings.control(site, control.name().toLowerCase(Locale.ROOT));
  }

  /** Gives the first links these properties; the others are unlimited. */
  void shape(List<PathLink> links) {
    for (int i = 0; i <= relays; i++) {
      LinkShape forward = passing();
      LinkShape backward = passing();
      if (i < links.size()) {
        PathLink link = links.get(i);
        backward =
            LinkShape.of(
                    Duration.ofNanos(Math.round(link.rttSeconds() / 2 * 1e9)),
                    // The emulator counts IP packets, the models count Ethernet frames.
                    Math.round(link.bitsPerSecond() * ETHERNET_SHARE))
                .withQueueBytes(link.queueBytes());
        forward = backward.withLoss(new Loss.Bernoulli(link.lossProbability()));
      }
      lab.link(siteName(i, relays), siteName(i + 1, relays)).shape(forward, backward);
    }
  }

  LabStatistics statistics() {
    return lab.statistics();
  }

  /** Packets of the first links between two times. */
  List<Result.LinkCount> counts(int links, LabStatistics before, LabStatistics after) {
    List<Result.LinkCount> counts = new ArrayList<>();
    for (int i = 0; i < links; i++) {
      DirectionStatistics then = before.of(siteName(i, relays), siteName(i + 1, relays));
      DirectionStatistics now = after.of(siteName(i, relays), siteName(i + 1, relays));
      counts.add(
          new Result.LinkCount(
              now.takenPackets() - then.takenPackets(),
              now.forwardedPackets() - then.forwardedPackets(),
              now.lostPackets() - then.lostPackets(),
              now.allDroppedPackets() - then.allDroppedPackets(),
              now.overflowedPackets() - then.overflowedPackets()));
    }
    return counts;
  }

  @Override
  public void close() {
    lab.close();
  }
}
