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
 * @param streamsByRelay how many entered at which relay
 * @param bytes passed on in both directions by those relays
 * @param directBitsPerSecond the highest rate of a direct stream; 0 where none is known
 * @param relayedBitsPerSecond the highest rate of a chain; 0 where none is known
 * @param via the chain that its streams took last; null where none did
 * @param lastSeen in steady time
 */
record SeenDestination(
    HostPort destination,
    Map<String, Long> streamsByRelay,
    long bytes,
    double directBitsPerSecond,
    double relayedBitsPerSecond,
    @Nullable List<String> via,
    Instant lastSeen) {

  /** Uses of it that were seen at once. */
  record Use(String relay, long streams, long bytes, double bitsPerSecond) {}

  static SeenDestination first(HostPort destination, Instant now) {
    return new SeenDestination(destination, Map.of(), 0, 0, 0, null, now);
  }

  /**
   * @param chain null for directly
   */
  SeenDestination and(Use use, @Nullable List<String> chain, Instant now) {
    Map<String, Long> streams = new HashMap<>(streamsByRelay);
    streams.merge(use.relay(), use.streams(), Long::sum);
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
    return streamsByRelay.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The relay at which most of the streams entered; of equals the first by name. */
  String relay() {
    return streamsByRelay.entrySet().stream()
        .max(
            Map.Entry.<String, Long>comparingByValue()
                .thenComparing(Map.Entry.<String, Long>comparingByKey().reversed()))
        .orElseThrow()
        .getKey();
  }
}
