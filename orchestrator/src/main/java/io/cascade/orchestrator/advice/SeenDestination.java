package io.cascade.orchestrator.advice;

import io.cascade.api.HostPort;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A destination that streams went to.
 *
 * @param streamsByOrigin how many entered at which relay, or came from which client
 * @param bytes passed on in both directions by those relays, and sent by those clients
 * @param directBitsPerSecond the highest rate of a direct stream; 0 where none is known
 * @param relayedBitsPerSecond the highest rate of a chain; 0 where none is known
 * @param via the chain that its streams took last; null where none did
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
   * Where streams begin.
   *
   * @param name of a relay, or address of a client
   */
  record Origin(String name, boolean isClient) {}

  /** Uses of it that were seen at once. */
  record Use(Origin origin, long streams, long bytes, double bitsPerSecond) {}

  static SeenDestination first(HostPort destination, Instant now) {
    return new SeenDestination(destination, Map.of(), 0, 0, 0, null, now);
  }

  /**
   * @param chain null for directly
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

  /** Where most of the streams begin; of equals the first by name. */
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
