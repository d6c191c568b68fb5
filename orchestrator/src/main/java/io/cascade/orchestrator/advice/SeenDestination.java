package io.cascade.orchestrator.advice;

import io.cascade.api.HostPort;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A destination of streams.
 *
 * @param streamsByOrigin number of streams by the relay that they entered or the client that sent
 *     them
 * @param bytes passed on in both directions by those relays, and sent by those clients
 * @param directBitsPerSecond the highest rate of a direct stream; 0 if none is known
 * @param relayedBitsPerSecond the highest rate of a chain; 0 if none is known
 * @param via the chain that its latest streams took; null if they took none
 * @param lastSeen in steady time
 */
record SeenDestination(
    HostPort destination,
    Map<Origin, Long> streamsByOrigin,
    long bytes,
    double directBitsPerSecond,
    double relayedBitsPerSecond,
    @Nullable List<String> via,
    Instant lastSeen) {

  /**
   * The place where streams begin.
   *
   * @param name name of a relay, or address of a client
   */
  record Origin(String name, boolean isClient) {}

  /** Uses of the destination that were reported together. */
  record Use(Origin origin, long streams, long bytes, double bitsPerSecond) {}

  static SeenDestination first(HostPort destination, Instant now) {
    return new SeenDestination(destination, Map.of(), 0, 0, 0, null, now);
  }

  /**
   * @param chain null for the direct way
   */
  SeenDestination and(Use use, @Nullable List<String> chain, Instant now) {
    Map<Origin, Long> streams = new HashMap<>(streamsByOrigin);
    streams.merge(use.origin(), use.streams(), Long::sum);
    boolean direct = chain == null;
    return new SeenDestination(
        destination,
        Map.copyOf(streams),
        bytes + use.bytes(),
        direct ? Math.max(directBitsPerSecond, use.bitsPerSecond()) : directBitsPerSecond,
        direct ? relayedBitsPerSecond : Math.max(relayedBitsPerSecond, use.bitsPerSecond()),
        direct ? via : chain,
        now);
  }

  long streams() {
    return streamsByOrigin.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The origin of most streams; among equals the first by name. */
  Origin origin() {
    return streamsByOrigin.entrySet().stream()
        .min(
            Map.Entry.<Origin, Long>comparingByValue()
                .reversed()
                .thenComparing(one -> one.getKey().name()))
        .orElseThrow()
        .getKey();
  }
}
