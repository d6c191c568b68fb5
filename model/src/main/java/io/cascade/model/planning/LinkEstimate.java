package io.cascade.model.planning;

import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;
import java.time.Duration;
import java.util.OptionalDouble;

/**
 * What was measured of a link, in its direction.
 *
 * @param rtt round-trip time without queues: the minimum, or a smoothed value of an idle link
 * @param loss losses among packets sent
 * @param capacityBitsPerSecond what it carries on the wire; empty if never measured
 * @param learned what chains have taught of it
 */
public record LinkEstimate(
    Duration rtt, LossEstimate loss, OptionalDouble capacityBitsPerSecond, Learned learned) {

  /** Checks the values. */
  public LinkEstimate {
    if (!rtt.isPositive()) {
      throw Require.outside("rtt", rtt, "> 0");
    }
    capacityBitsPerSecond.ifPresent(value -> Require.positive("capacityBitsPerSecond", value));
  }

  /** A link that no chain has taught anything of. */
  public LinkEstimate(Duration rtt, LossEstimate loss, OptionalDouble capacityBitsPerSecond) {
    this(rtt, loss, capacityBitsPerSecond, Learned.NOTHING);
  }

  /** A link of which no capacity is known. */
  public static LinkEstimate of(Duration rtt, LossEstimate loss) {
    return new LinkEstimate(rtt, loss, OptionalDouble.empty());
  }

  /** The same link with a known capacity. */
  public LinkEstimate withCapacity(Rate capacity) {
    return new LinkEstimate(rtt, loss, OptionalDouble.of(capacity.bitsPerSecond()), learned);
  }

  /** The same link with other losses. */
  public LinkEstimate withLoss(LossEstimate other) {
    return new LinkEstimate(rtt, other, capacityBitsPerSecond, learned);
  }

  /** The same link with what was learned of it. */
  public LinkEstimate withLearned(Learned other) {
    return new LinkEstimate(rtt, loss, capacityBitsPerSecond, other);
  }

  double rttSeconds() {
    return rtt.getSeconds() + rtt.getNano() / 1e9;
  }
}
