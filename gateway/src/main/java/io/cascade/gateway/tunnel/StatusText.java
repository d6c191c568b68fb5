package io.cascade.gateway.tunnel;

import io.cascade.packets.forward.ForwardCounts;
import io.cascade.packets.queue.QueueCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A gateway's status for people. */
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
                status.conveyance(),
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
    status.links().forEach(link -> link(link, lines));
    return String.join("\n", lines);
  }

  private static void link(LinkStatus link, List<String> lines) {
    String heard =
        link.heardMillisAgo() < 0 ? "" : ", heard of %d ms ago".formatted(link.heardMillisAgo());
    String last = link.lastEnd().isEmpty() ? "" : ", last one ended: " + link.lastEnd();
    lines.add(
        "link to %s: %s%s, %d sessions%s"
            .formatted(
                link.peer(),
                link.state().name().toLowerCase(Locale.ROOT),
                heard,
                link.sessions(),
                last));
    SessionStatus session = link.session();
    if (session != null) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  %s, round trip %.1f ms, loss %.1f %%, %d symbols and %d repairs sent; packets: %d sent, %d received, %d late",
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
            "  queue: %d waiting, %.1f ms; dropped: %d by delay, %d by age, %d by length; %d marked",
            queue.waiting(),
            queue.meanSojournMicros() / 1e3,
            queue.droppedByDelay(),
            queue.droppedByAge(),
            queue.droppedByLength() + link.dropped(),
            queue.marked()));
  }
}
