package io.cascade.orchestrator.links;

import io.cascade.api.orchestrator.Link;
import io.cascade.model.uncertainty.LossEstimate;
import org.jspecify.annotations.Nullable;

/**
 * A link with what is within its window.
 *
 * @param capacityBitsPerSecond what both ends can carry, as far as their operators said
 * @param stale not measured for three heartbeats
 */
public record MeasuredLink(
    String from,
    String to,
    LinkWindow.Counts counts,
    @Nullable Long capacityBitsPerSecond,
    boolean stale) {

  /** Two-sided 95 %, which is what the contract promises: 97.5 % on either side. */
  private static final double TWO_SIDED = 0.975;

  /** As the contract has it. */
  Link document() {
    Double low = null;
    Double high = null;
    if (counts.sent() > 0) {
      LossEstimate loss = new LossEstimate(counts.lost(), counts.sent());
      low = loss.lower(TWO_SIDED);
      high = loss.upper(TWO_SIDED);
    }
    return new Link(
        from,
        to,
        counts.minRttMillis(),
        counts.smoothedRttMillis(),
        counts.jitterMillis(),
        counts.sent(),
        counts.lost(),
        low,
        high,
        capacityBitsPerSecond,
        counts.updatedAt(),
        stale);
  }
}
