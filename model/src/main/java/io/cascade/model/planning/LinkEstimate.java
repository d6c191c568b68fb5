package io.cascade.model.planning;

import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What was measured of a link, in its direction.
 *
 * @param rtt round-trip time without queues: the minimum, or a smoothed value of an idle link
 * @param loss losses among packets sent in the link's direction
 * @param capacity what it carries on the wire, as far as that is known
 * @param achieved what a transfer that losses limited has achieved lately; bounds what a sender
 *     with the same congestion control may reach at best
 * @param learned what streams and throughput tests have taught of it
 * @param bufferBytes the smaller of the socket buffers that its ends give a connection, the
 *     sender's and the receiver's; empty if they never limit, or nobody has said
 */
public record LinkEstimate(
    Duration rtt,
    LossEstimate loss,
    Capacity capacity,
    Optional<AchievedRate> achieved,
    Learned learned,
    OptionalLong bufferBytes) {

  /** Checks the values. */
  public LinkEstimate {
    if (!rtt.isPositive()) {
      throw Require.outside("rtt", rtt, "> 0");
    }
    bufferBytes.ifPresent(value -> Require.atLeast("bufferBytes", value, 1));
  }

  /** A link that nothing was learned of, between hosts that never limit. */
  public LinkEstimate(Duration rtt, LossEstimate loss, Capacity capacity) {
    this(rtt, loss, capacity, Optional.empty(), Learned.NOTHING, OptionalLong.empty());
  }

  /** A described link without a capacity: no bound is meant. */
  public static LinkEstimate of(Duration rtt, LossEstimate loss) {
    return new LinkEstimate(rtt, loss, new Capacity.Unlimited());
  }

  /** The same link with a known capacity. */
  public LinkEstimate withCapacity(Rate known) {
    return withCapacity(new Capacity.Known(known.bitsPerSecond()));
  }

  /** The same link with what is known of its capacity. */
  public LinkEstimate withCapacity(Capacity other) {
    return new LinkEstimate(rtt, loss, other, achieved, learned, bufferBytes);
  }

  /** The same link with other losses. */
  public LinkEstimate withLoss(LossEstimate other) {
    return new LinkEstimate(rtt, other, capacity, achieved, learned, bufferBytes);
  }

  /** The same link with what a transfer has achieved over it. */
  public LinkEstimate withAchieved(AchievedRate rate) {
    return new LinkEstimate(rtt, loss, capacity, Optional.of(rate), learned, bufferBytes);
  }

  /** The same link with what was learned of it. */
  public LinkEstimate withLearned(Learned other) {
    return new LinkEstimate(rtt, loss, capacity, achieved, other, bufferBytes);
  }

  /** The same link between hosts whose smaller buffer takes this much. */
  public LinkEstimate withBuffers(long bytes) {
    return new LinkEstimate(rtt, loss, capacity, achieved, learned, OptionalLong.of(bytes));
  }

  double rttSeconds() {
    return rtt.getSeconds() + rtt.getNano() / 1e9;
  }
}
