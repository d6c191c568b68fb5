package io.cascade.orchestrator.chains;

import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayControls;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Removes parts from relays, from all in parallel. */
@Component
class ChainRemoval {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final RelayRegistry relays;
  private final RelayControls controls;
  private final RelayCalls calls;

  ChainRemoval(RelayRegistry relays, RelayControls controls, RelayCalls calls) {
    this.relays = relays;
    this.controls = controls;
    this.calls = calls;
  }

  /**
   * @return relays that did not confirm the removal; {@link PartInspection} removes the part when
   *     they report again
   */
  List<String> remove(UUID chain, Collection<String> from, boolean abort) {
    return remove(chain, from, abort, Long.MAX_VALUE);
  }

  /**
   * Removes parts from relays up to a revision.
   *
   * @param revision the highest revision to remove
   */
  List<String> remove(UUID chain, Collection<String> from, boolean abort, long revision) {
    Map<String, Boolean> gone =
        calls.atOnce(from, relay -> remove(chain, relay, abort, revision), (_, _) -> false);
    return gone.entrySet().stream()
        .filter(entry -> !entry.getValue())
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean remove(UUID chain, String name, boolean abort, long revision) {
    Optional<RegisteredRelay> relay = relays.find(name);
    if (relay.isEmpty()) {
      return false;
    }
    controls.of(relay.get()).remove(chain, abort, revision, TIMEOUT);
    return true;
  }

  /** Describes the parts that remain because relays did not answer. */
  static String leftovers(List<String> unanswered) {
    return String.join(", ", unanswered)
        + " did not answer; what is left there is removed at the next contact";
  }
}
