package io.cascade.orchestrator.statistics;

import io.cascade.api.relay.PartList;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.ProcessTotals;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Answers of all relays at one moment.
 *
 * @param mark when, on a clock that never jumps
 * @param relays by name; those that did not answer are missing
 */
record RelaySnapshot(long mark, Instant at, Map<String, Answer> relays) {

  /**
   * One relay's answer.
   *
   * @param process null of a version that does not tell
   */
  record Answer(Map<UUID, PartStatus> parts, @Nullable ProcessTotals process) {
    static Answer of(PartList list) {
      Map<UUID, PartStatus> parts = new HashMap<>();
      list.parts().forEach(part -> parts.put(part.chainId(), part));
      return new Answer(parts, list.process());
    }
  }

  boolean answered(String relay) {
    return relays.containsKey(relay);
  }

  Map<UUID, PartStatus> of(String relay) {
    Answer answer = relays.get(relay);
    return answer == null ? Map.of() : answer.parts();
  }

  @Nullable PartStatus of(String relay, UUID chain) {
    return of(relay).get(chain);
  }

  @Nullable ProcessTotals process(String relay) {
    Answer answer = relays.get(relay);
    return answer == null ? null : answer.process();
  }
}
