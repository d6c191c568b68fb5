package io.cascade.orchestrator.statistics;

import io.cascade.api.relay.Stalls;
import java.util.List;
import java.util.Optional;

/**
 * What holds a chain up now, judged by what its relays wait for.
 *
 * <p>Behind the slowest hop every relay waits for data, before it every relay sooner or later waits
 * for its sink: so it is the hop behind the last relay, in the direction of the bytes, that waits
 * for its sink. Where none does, what comes before the first relay is the slowest.
 *
 * @param hop its place, 0 from the source to the first relay
 * @param memory whether the relay before the hop lacks memory, rather than the hop speed
 */
record Bottleneck(int hop, boolean memory) {
  /**
   * Directions that wait for the sink, on the average over the time: less is nothing to speak of.
   */
  private static final double LEAST_WAITING = 0.1;

  /** A relay that waits so much less than the one that waits most passes on a burst. */
  private static final double LEAST_SHARE = 0.5;

  /**
   * @param relays from ingress to egress: what their directions waited for
   * @param forward whether the bytes went from the source to the destination
   */
  static Optional<Bottleneck> of(List<Stalls> relays, boolean forward, double seconds) {
    if (relays.isEmpty() || !(seconds > 0)) {
      return Optional.empty();
    }
    double most = relays.stream().mapToDouble(Bottleneck::heldUpSeconds).max().orElse(0);
    for (int step = relays.size() - 1; step >= 0; step--) {
      int relay = forward ? step : relays.size() - 1 - step;
      Stalls stalls = relays.get(relay);
      double heldUp = heldUpSeconds(stalls);
      if (heldUp >= LEAST_WAITING * seconds && heldUp >= LEAST_SHARE * most) {
        return Optional.of(
            new Bottleneck(
                forward ? relay + 1 : relay, stalls.budgetSeconds() > stalls.sinkSeconds()));
      }
    }
    return Optional.of(new Bottleneck(forward ? 0 : relays.size(), false));
  }

  private static double heldUpSeconds(Stalls stalls) {
    return stalls.sinkSeconds() + stalls.budgetSeconds();
  }
}
