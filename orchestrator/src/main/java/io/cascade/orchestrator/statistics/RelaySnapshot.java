package io.cascade.orchestrator.statistics;

import io.cascade.api.relay.PartStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Answers of all relays at one moment.
 *
 * @param mark when, on a clock that never jumps
 * @param parts by relay; those that did not answer are missing
 */
record RelaySnapshot(long mark, Instant at, Map<String, Map<UUID, PartStatus>> parts) {

  static Map<UUID, PartStatus> byChain(List<PartStatus> parts) {
    Map<UUID, PartStatus> byChain = new HashMap<>();
    parts.forEach(part -> byChain.put(part.chainId(), part));
    return byChain;
  }

  boolean answered(String relay) {
    return parts.containsKey(relay);
  }

  Map<UUID, PartStatus> of(String relay) {
    return parts.getOrDefault(relay, Map.of());
  }

  @Nullable PartStatus of(String relay, UUID chain) {
    return of(relay).get(chain);
  }
}
