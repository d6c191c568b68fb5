package io.cascade.orchestrator.statistics;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.Stalls;
import java.util.List;
import java.util.Optional;

/**
 * Cause that holds a chain up now, judged by what its relays wait for.
 *
 * <p>Behind the slowest hop every relay waits for data, before it every relay sooner or later waits
 * for its sink: so it is the hop behind the last relay, in the direction of the bytes, that waits
 * for its sink. Where none does, what comes before the first relay is the slowest.
 *
 * @param memory whether the relay before the hop lacks memory, rather than the hop speed
 */
record Bottleneck(HopAddress hop, boolean memory) {
  /**
   * Directions that wait for the sink, on the average over the time: less is nothing to speak of.
   */
  private static final double LEAST_WAITING = 0.1;

  /** A relay that waits so much less than the one that waits most passes on a burst. */
  private static final double LEAST_SHARE = 0.5;

  /**
   * Times that one relay's directions waited.
   *
   * @param from the hop by which bytes of this direction come to it
   * @param to the hop by which they leave it
   */
  record Waiting(HopAddress from, Stalls stalls, HopAddress to) {
    private double heldUpSeconds() {
      return stalls.sinkSeconds() + stalls.budgetSeconds();
    }
  }

  /**
   * Finds the bottleneck of a pipe.
   *
   * @param relays in the order in which bytes of the direction meet them
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
