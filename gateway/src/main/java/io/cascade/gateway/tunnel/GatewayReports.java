package io.cascade.gateway.tunnel;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.GatewayDrops;
import io.cascade.api.orchestrator.GatewayLink;
import io.cascade.api.orchestrator.GatewayLinkState;
import io.cascade.api.orchestrator.GatewayReport;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** A gateway's status as the orchestrator's contract has it. */
final class GatewayReports {
  private GatewayReports() {}

  /** The report, unsigned. */
  static GatewayReport of(
      GatewayStatus status, UUID instance, String version, @Nullable Endpoint listen) {
    return GatewayReport.builder()
        .instance(instance)
        .version(version)
        .publicKey("")
        .sequence(0L)
        .signature("")
        .listen(listen)
        .tun(status.tun() != null)
        .mtu(status.mtu())
        .upSeconds(status.upSeconds())
        .forwardedPackets(status.packets().forwarded())
        .drops(
            drops(status).entrySet().stream()
                .map(each -> new GatewayDrops(each.getKey(), each.getValue()))
                .toList())
        .links(status.links().stream().map(GatewayReports::link).toList())
        .build();
  }

  /** Dropped packets, by the reason's name in metrics and reports. */
  static Map<String, Long> drops(GatewayStatus status) {
    return Map.ofEntries(
        Map.entry("malformed", status.packets().malformed() + status.segmented().malformed()),
        Map.entry("spoofed", status.packets().spoofed()),
        Map.entry("no-route", status.packets().noRoute()),
        Map.entry("loop", status.packets().loops()),
        Map.entry("expired", status.packets().expired()),
        Map.entry("too-big", status.packets().tooBig()),
        Map.entry("refused-by-kernel", status.refusedByTun()),
        Map.entry("delay", sum(status, link -> link.queue().droppedByDelay())),
        Map.entry("age", sum(status, link -> link.queue().droppedByAge())),
        Map.entry("length", sum(status, link -> link.queue().droppedByLength() + link.dropped())));
  }

  private static long sum(GatewayStatus status, ToLongFunction<LinkStatus> count) {
    return status.links().stream().mapToLong(count).sum();
  }

  private static GatewayLink link(LinkStatus link) {
    SessionStatus session = link.session();
    long dropped =
        link.queue().droppedByDelay()
            + link.queue().droppedByAge()
            + link.queue().droppedByLength()
            + link.dropped();
    return GatewayLink.builder()
        .peer(link.peer())
        .state(GatewayLinkState.valueOf(link.state().name()))
        .sessions(link.sessions())
        .mtu(link.mtu())
        .sojournMillis(link.queue().meanSojournMicros() / 1e3)
        .droppedPackets(dropped)
        .markedPackets(link.queue().marked())
        .mode(session == null ? null : session.mode())
        .roundTripMillis(session == null ? null : (Double) (session.roundTripMicros() / 1e3))
        .lossRate(session == null ? null : (Double) session.lossRate())
        .sentPackets(session == null ? null : (Long) session.packetsSent())
        .receivedPackets(session == null ? null : (Long) session.packetsReceived())
        .build();
  }
}
