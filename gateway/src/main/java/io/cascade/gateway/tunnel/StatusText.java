package io.cascade.gateway.tunnel;

import io.cascade.api.orchestrator.Gateway;
import io.cascade.api.orchestrator.GatewayLink;
import io.cascade.api.orchestrator.GatewayReport;
import io.cascade.packets.forward.ForwardCounts;
import io.cascade.packets.queue.QueueCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Describes a gateway's status for people. */
final class StatusText {
  private StatusText() {}

  static String of(GatewayStatus status) {
    List<String> lines = new ArrayList<>();
    ForwardCounts packets = status.packets();
    lines.add(
        "%s: %s, mtu %d, %s, up %.0f s"
            .formatted(
                status.name(),
                status.tun() == null ? "no TUN device" : "device " + status.tun(),
                status.mtu(),
                status.deliveryMode(),
                status.upSeconds()));
    lines.add(
        "packets: %d forwarded; dropped: %d malformed, %d spoofed, %d without route, %d loops, %d expired, %d too big"
            .formatted(
                packets.forwarded(),
                packets.malformed(),
                packets.spoofed(),
                packets.noRoute(),
                packets.loops(),
                packets.expired(),
                packets.tooBig()));
    if (status.refusedByTun() + status.refusedHandshakes() > 0) {
      lines.add(
          "refused: %d packets by the kernel, %d handshakes"
              .formatted(status.refusedByTun(), status.refusedHandshakes()));
    }
    if (status.segmented().longPackets() > 0) {
      lines.add(
          "offloads: %d long TCP packets of this host's kernel, divided into %d"
              .formatted(status.segmented().longPackets(), status.segmented().segments()));
    }
    status.links().forEach(link -> link(link, lines));
    return String.join("\n", lines);
  }

  /** The state of a gateway that reports to an orchestrator. */
  static String of(Gateway gateway) {
    List<String> lines = new ArrayList<>();
    GatewayReport report = gateway.report();
    lines.add(
        String.format(
            Locale.ROOT,
            "%s: %s, mtu %d, up %.0f s, %s %.1f s ago",
            gateway.name(),
            report.tun() ? "with a TUN device" : "no TUN device",
            report.mtu(),
            report.upSeconds(),
            gateway.lost() ? "lost: reported" : "reported",
            gateway.silentSeconds()));
    lines.add(
        "packets: %d forwarded%s"
            .formatted(
                report.forwardedPackets(),
                report.drops().stream()
                    .filter(drops -> drops.packets() > 0)
                    .map(drops -> ", %d dropped: %s".formatted(drops.packets(), drops.why()))
                    .collect(Collectors.joining())));
    for (GatewayLink link : report.links()) {
      Double roundTrip = link.roundTripMillis();
      Double loss = link.lossRate();
      lines.add(
          String.format(
              Locale.ROOT,
              "link to %s: %s, %d sessions, mtu %d, queue %.1f ms, %d dropped, %d marked%s",
              link.peer(),
              link.state().name().toLowerCase(Locale.ROOT),
              link.sessions(),
              link.mtu(),
              link.sojournMillis(),
              link.droppedPackets(),
              link.markedPackets(),
              roundTrip == null || loss == null
                  ? ""
                  : String.format(
                      Locale.ROOT, ", round trip %.1f ms, loss %.1f %%", roundTrip, 100 * loss)));
    }
    return String.join("\n", lines);
  }

  private static void link(LinkStatus link, List<String> lines) {
    String heard =
        link.heardMillisAgo() < 0 ? "" : ", heard of %d ms ago".formatted(link.heardMillisAgo());
    String last = link.lastEnd().isEmpty() ? "" : ", last one ended: " + link.lastEnd();
    lines.add(
        "link to %s: %s%s, %d sessions, mtu %d%s"
            .formatted(
                link.peer(),
                link.state().name().toLowerCase(Locale.ROOT),
                heard,
                link.sessions(),
                link.mtu(),
                last));
    SessionStatus session = link.session();
    if (session != null) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s, round trip %.1f ms, loss %.1f %%, %d symbols and %d repairs sent; packets: %d"
                  + " sent, %d received, %d late",
              session.mode(),
              session.roundTripMicros() / 1e3,
              100 * session.lossRate(),
              session.sourcesSent(),
              session.repairsSent() + session.repeatsSent(),
              session.packetsSent(),
              session.packetsReceived(),
              session.packetsLate()));
    }
    QueueCounts queue = link.queue();
    lines.add(
        String.format(
            Locale.ROOT,
            "  queue: %d waiting, %.1f ms; dropped: %d by delay, %d by age, %d by length; %d"
                + " marked",
            queue.waiting(),
            queue.meanSojournMicros() / 1e3,
            queue.droppedByDelay(),
            queue.droppedByAge(),
            queue.droppedByLength() + link.dropped(),
            queue.marked()));
  }
}
