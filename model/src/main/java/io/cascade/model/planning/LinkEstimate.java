package io.cascade.model.planning;

import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What was measured of a link, in its direction.
 *
 * @param rtt round-trip time without queues: the minimum, or a smoothed value of an idle link
 * @param loss losses among packets sent
 * @param capacityBitsPerSecond what it carries on the wire; empty if never measured
 * @param learned what chains have taught of it
 * @param bufferBytes the smaller of the socket buffers that its ends give a connection, the
 *     sender's and the receiver's; empty if they never limit, or nobody has said
 */
public record LinkEstimate(
    Duration rtt,
    LossEstimate loss,
    OptionalDouble capacityBitsPerSecond,
    Learned learned,
    OptionalLong bufferBytes) {

  /** Checks the values. */
  public LinkEstimate {
    if (!rtt.isPositive()) {
      throw Require.outside("rtt", rtt, "> 0");
    }
    capacityBitsPerSecond.ifPresent(value -> Require.positive("capacityBitsPerSecond", value));
    bufferBytes.ifPresent(value -> Require.atLeast("bufferBytes", value, 1));
  }

  /** A link that no chain has taught anything of, between hosts that never limit. */
  public LinkEstimate(Duration rtt, LossEstimate loss, OptionalDouble capacityBitsPerSecond) {
    this(rtt, loss, capacityBitsPerSecond, Learned.NOTHING, OptionalLong.empty());
  }

  /** A link of which no capacity is known. */
  public static LinkEstimate of(Duration rtt, LossEstimate loss) {
    return new LinkEstimate(rtt, loss, OptionalDouble.empty());
  }

  /** The same link with a known capacity. */
  public LinkEstimate withCapacity(Rate capacity) {
    return new LinkEstimate(
        rtt, loss, OptionalDouble.of(capacity.bitsPerSecond()), learned, bufferBytes);
  }

  /** The same link with other losses. */
  public LinkEstimate withLoss(LossEstimate other) {
    return new LinkEstimate(rtt, other, capacityBitsPerSecond, learned, bufferBytes);
  }

  /** The same link with what was learned of it. */
  public LinkEstimate withLearned(Learned other) {
    return new LinkEstimate(rtt, loss, capacityBitsPerSecond, other, bufferBytes);
  }

  /** The same link between hosts whose smaller buffer takes this much. */
  public LinkEstimate withBuffers(long bytes) {
    return new LinkEstimate(rtt, loss, capacityBitsPerSecond, learned, OptionalLong.of(bytes));
  }

  double rttSeconds() {
    return rtt.getSeconds() + rtt.getNano() / 1e9;
  }
}
