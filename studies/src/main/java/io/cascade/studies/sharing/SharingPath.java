package io.cascade.studies.sharing;

import io.cascade.lab.Topology;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Two links of 100 Mbit/s in series, with a relay between them. The connection of another user
 * crosses both, and shares the queue in front of the first link with all flows from the same site.
 *
 * @param rttMillis round trip without queues, of both links together
 * @param loss share of the packets that each link loses besides drops at its queue, 0 to 1
 * @param queueBdp size of the queue in front of each link, in products of the links' rate and the
 *     round trip
 */
record SharingPath(double rttMillis, double loss, double queueBdp) {
  static final String CLIENT = "client";
  static final String RELAY = "middle";
  static final String SERVER = "server";
  static final double MEGABITS = 100;

  private static final String CONTROL = "cubic";

  static final List<SharingPath> ALL =
      List.of(
          new SharingPath(20, 0, 1),
          new SharingPath(80, 0, 1),
          new SharingPath(80, 0.0005, 1),
          new SharingPath(80, 0, 0.2));

  Topology topology(String name) {
    LinkShape plain =
        LinkShape.of(Duration.ofNanos(Math.round(rttMillis * 1e6 / 4)), Math.round(MEGABITS * 1e6))
            .withQueueBytes(Math.round(queueBdp * MEGABITS * 1e6 / 8 * rttMillis / 1e3));
    LinkShape shape = loss == 0 ? plain : plain.withLoss(new Loss.Bernoulli(loss));
    return new Topology(
        name,
        1,
        List.of(
            new SiteSpec(CLIENT, CONTROL, List.of()),
            new SiteSpec(RELAY, CONTROL, List.of(RELAY)),
            new SiteSpec(SERVER, CONTROL, List.of())),
        List.of(LinkSpec.symmetric(CLIENT, RELAY, shape), LinkSpec.symmetric(RELAY, SERVER, shape)),
        RELAY,
        List.of());
  }

  String words() {
    return String.format(
        Locale.ROOT,
        "%.0f ms, %s, queue of %.1f BDP",
        rttMillis,
        loss == 0 ? "no loss" : String.format(Locale.ROOT, "%.2g %% loss a link", 100 * loss),
        queueBdp);
  }
}
