package io.cascade.orchestrator.statistics;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.Stalls;
import java.util.List;
import java.util.Optional;

/**
 * The hop that limits a chain at present, from what its relays wait for.
 *
 * <p>Relays after the slowest hop wait for data, and relays before it wait for their sinks. So the
 * slowest hop is the one after the last relay, in the direction of the bytes, that waits for its
 * sink. If no relay does, it is the hop before the first relay.
 *
 * @param memory whether the relay before the hop lacks memory, instead of the hop being slow
 */
record Bottleneck(HopAddress hop, boolean memory) {
  /** Least mean number of directions that wait for the sink, for a relay to count as waiting. */
  private static final double LEAST_WAITING = 0.1;

  /** Least share of the longest wait. A relay that waits less than that is passing on a burst. */
  private static final double LEAST_SHARE = 0.5;

  /**
   * Time for which one relay's directions waited.
   *
   * @param from the hop on which the bytes of this direction arrive
   * @param to the hop on which they are sent
   */
  record Waiting(HopAddress from, Stalls stalls, HopAddress to) {
    private double heldUpSeconds() {
      return stalls.sinkSeconds() + stalls.budgetSeconds();
    }
  }

  /**
   * Finds the bottleneck of a pipe.
   *
   * @param relays in the order in which the bytes of the direction pass them
   */
  static Optional<Bottleneck> of(List<Waiting> relays, double seconds) {
    if (relays.isEmpty() || !(seconds > 0)) {
      return Optional.empty();
    }
    double most = relays.stream().mapToDouble(Waiting::heldUpSeconds).max().orElse(0);
    for (Waiting relay : relays.reversed()) {
      double heldUp = relay.heldUpSeconds();
      if (heldUp >= LEAST_WAITING * seconds && heldUp >= LEAST_SHARE * most) {
        Stalls stalls = relay.stalls();
        return Optional.of(
            new Bottleneck(relay.to(), stalls.budgetSeconds() > stalls.sinkSeconds()));
      }
    }
    return Optional.of(new Bottleneck(relays.getFirst().from(), false));
  }
}
