package io.cascade.orchestrator.gateways;

import io.cascade.api.orchestrator.Endpoint;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A tunnel as it is stored.
 *
 * @param gateways in the order of the route
 * @param spans one for each pair of neighbours, in that order
 * @param fromPrefixes networks behind the first gateway
 * @param toPrefixes networks behind the last one
 */
record InstalledTunnel(
    UUID id,
    @Nullable String name,
    Instant openedAt,
    List<String> gateways,
    List<Span> spans,
    List<String> fromPrefixes,
    List<String> toPrefixes) {
  InstalledTunnel {
    gateways = List.copyOf(gateways);
    spans = List.copyOf(spans);
    fromPrefixes = List.copyOf(fromPrefixes);
    toPrefixes = List.copyOf(toPrefixes);
  }

  /**
   * Link between two neighbours.
   *
   * @param dialler the neighbour that dials
   * @param listen address on which the other neighbour listens
   * @param key in hexadecimal digits
   */
  record Span(String dialler, Endpoint listen, String key) {
    @Override
    public String toString() {
      return "Span[" + dialler + " dials " + listen + "]"; // Without the key.
    }
  }

  /** Whether two gateways are neighbours in this tunnel. */
  boolean joins(String one, String other) {
    int at = gateways.indexOf(one);
    int there = gateways.indexOf(other);
    return at >= 0 && there >= 0 && Math.abs(at - there) == 1;
  }

  /** The span between two neighbours. */
  Span span(String one, String other) {
    return spans.get(Math.min(gateways.indexOf(one), gateways.indexOf(other)));
  }

  /** Prefixes that a gateway reaches through a neighbour. */
  List<String> behind(String gateway, String neighbour) {
    return gateways.indexOf(neighbour) > gateways.indexOf(gateway) ? toPrefixes : fromPrefixes;
  }

  /** A gateway's neighbours, one or two. */
  List<String> neighbours(String gateway) {
    return gateways.stream().filter(other -> joins(gateway, other)).toList();
  }
}
