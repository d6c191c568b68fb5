package io.cascade.gateway.tunnel;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A gateway's status in Prometheus's text format, version 0.0.4. */
final class GatewayMetrics {
  private final StringBuilder text = new StringBuilder(2_048);

  private GatewayMetrics() {}

  static String of(GatewayStatus status) {
    GatewayMetrics metrics = new GatewayMetrics();
    metrics.head("packets_total", "counter", "Packets that were forwarded");
    metrics.sample("packets_total", Map.of(), status.packets().forwarded());
    metrics.head("drops_total", "counter", "Packets that were dropped, by the reason");
    new TreeMap<>(GatewayReports.drops(status))
        .forEach((why, packets) -> metrics.sample("drops_total", Map.of("why", why), packets));
    metrics.head("refused_handshakes_total", "counter", "Of gateways without a key or with others");
    metrics.sample("refused_handshakes_total", Map.of(), status.refusedHandshakes());
    metrics.head("long_packets_total", "counter", "TCP packets that the kernel left to be divided");
    metrics.sample("long_packets_total", Map.of(), status.segmented().longPackets());
    metrics.head("segments_total", "counter", "Packets that long ones were divided into");
    metrics.sample("segments_total", Map.of(), status.segmented().segments());
    metrics.head("mtu", "gauge", "Longest packet that a link takes, in bytes");
    status.links().forEach(link -> metrics.sample("mtu", peer(link), link.mtu()));
    metrics.head("sojourn_seconds", "gauge", "Mean wait of packets before a link, smoothed");
    status
        .links()
        .forEach(link ->
            metrics.sample("sojourn_seconds", peer(link), link.queue().meanSojournMicros() / 1e6));
    metrics.head("marks_total", "counter", "Packets that were marked with ECN before a link");
    status
        .links()
        .forEach(link -> metrics.sample("marks_total", peer(link), link.queue().marked()));
    metrics.head("link_up", "gauge", "Whether a link has a session with a peer that is heard of");
    status
        .links()
        .forEach(
            link -> metrics.sample("link_up", peer(link), link.state() == LinkState.UP ? 1 : 0));
    metrics.head("sessions_total", "counter", "Sessions that began");
    status.links().forEach(link -> metrics.sample("sessions_total", peer(link), link.sessions()));
    metrics.sessions(status);
    return metrics.text.toString();
  }

  private void sessions(GatewayStatus status) {
    head("loss_ratio", "gauge", "Share of what this end sends that is lost");
    status
        .links()
        .forEach(link -> {
          SessionStatus session = link.session();
          if (session != null) {
            sample("loss_ratio", peer(link), session.lossRate());
          }
        });
    head("rtt_seconds", "gauge", "Smoothed round-trip time of a session");
    status
        .links()
        .forEach(link -> {
          SessionStatus session = link.session();
          if (session != null) {
            sample("rtt_seconds", peer(link), session.roundTripMicros() / 1e6);
          }
        });
  }

  private static Map<String, String> peer(LinkStatus link) {
    return Map.of("peer", link.peer());
  }

  private void head(String name, String type, String help) {
    text.append("# HELP cascade_gateway_%s %s.\n".formatted(name, help));
    text.append("# TYPE cascade_gateway_%s %s\n".formatted(name, type));
  }

  private void sample(String name, Map<String, String> labels, long value) {
    line(name, labels, String.valueOf(value));
  }

  private void sample(String name, Map<String, String> labels, double value) {
    line(name, labels, String.format(Locale.ROOT, "%.6f", value));
  }

  /** Labels hold names and reasons: nothing in them needs escaping. */
  private void line(String name, Map<String, String> labels, String value) {
    text.append("cascade_gateway_").append(name);
    labels.forEach((label, of) -> text.append("{%s=\"%s\"}".formatted(label, of)));
    text.append(' ').append(value).append('\n');
  }
}
