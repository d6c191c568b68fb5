package io.cascade.model.planning;

import io.cascade.model.uncertainty.Interval;
import java.util.List;
import java.util.Optional;

/**
 * Prediction of what a candidate achieves. Bounds come from the bounds of every hop's loss, all
 * taken in the same sense, from the knowledge of capacities, and from {@linkplain ModelScatter the
 * model's own scatter}.
 *
 * @param knowledge what the rate rests on
 * @param evidence evidence for the likely rate, and whether it may be shown
 * @param overestimate factor, 1 or more, by which its likely cost is below the average one: any of
 *     several hops may be the slowest
 * @param transferSeconds from the source's first packet to the last byte's arrival; empty for an
 *     unlimited stream
 * @param goodputBitsPerSecond payload over that time; for a stream the steady rate
 * @param steadyBitsPerSecond the rate once every hop has left slow start
 * @param setupSeconds until the source may send
 * @param firstByteSeconds until the first byte arrives
 * @param hops in the stream's direction
 * @param bottleneck index of the slowest hop, by its likely rate
 * @param relayBufferBytes bytes that each relay must be able to hold to keep its hops busy, in the
 *     stream's direction; infinite if nothing known limits the rate
 * @param price at the likely rate
 */
public record Prediction(
    Knowledge knowledge,
    Evidence evidence,
    double overestimate,
    Optional<Interval> transferSeconds,
    Interval goodputBitsPerSecond,
    Interval steadyBitsPerSecond,
    double setupSeconds,
    double firstByteSeconds,
    List<HopPrediction> hops,
    int bottleneck,
    List<Double> relayBufferBytes,
    Price price) {

  /** Knowledge on which a rate rests. */
  public enum Knowledge {
    /** Only losses and known capacities. */
    BOUNDED,
    /** An observed rate of the slowest hop; what the hop carries beyond it is unknown. */
    AT_LEAST,
    /**
     * Some hop has neither an observed rate nor a stated capacity. The likely rate is what losses
     * alone would allow; it is used to order ways, but not shown. The lower bound is 0.
     */
    CEILING
  }

  /** Evidence of a way's rate. */
  public enum Evidence {
    /** Transfers over the slowest hop with the same congestion control. */
    MEASURED,
    /** The model, from losses, round trips and capacities. */
    PREDICTED,
    /**
     * Only bounds: a rate observed with another congestion control or over fewer connections, no
     * rate at all, or no known limit of the way. The likely rate is used to order ways, but not
     * shown.
     */
    BOUND
  }

  /** Whether a likely rate may be shown. */
  public boolean isEstimate() {
    return evidence != Evidence.BOUND;
  }

  /** Whether there is a likely rate at all. */
  public boolean hasLikelyRate() {
    return knowledge != Knowledge.CEILING;
  }

  /** Copies the lists. */
  public Prediction {
    hops = List.copyOf(hops);
    relayBufferBytes = List.copyOf(relayBufferBytes);
  }

  /** The slowest hop. */
  public HopPrediction bottleneckHop() {
    return hops.get(bottleneck);
  }

  /**
   * Cost by which candidates are compared, less is better: seconds of the transfer, or seconds per
   * bit of a stream.
   */
  Interval cost() {
    return transferSeconds.orElseGet(() -> goodputBitsPerSecond.reciprocal(1));
  }
}
