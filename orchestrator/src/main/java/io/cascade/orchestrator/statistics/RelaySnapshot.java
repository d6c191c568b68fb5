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
 * @param mark time of the monotonic clock
 * @param relays answers by name; without those that did not answer
 */
record RelaySnapshot(long mark, Instant at, Map<String, Answer> relays) {

  /**
   * One relay's answer.
   *
   * @param process null from a version that does not report it
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
