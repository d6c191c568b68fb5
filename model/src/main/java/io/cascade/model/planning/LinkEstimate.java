package io.cascade.model.planning;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import io.cascade.model.units.Require;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Measurements of a link, in its direction.
 *
 * @param rtt round-trip time without queues: the minimum, or a smoothed value of an idle link
 * @param loss losses among packets sent in the link's direction
 * @param capacity its capacity on the wire, as far as it is known
 * @param achieved recent rate of a transfer that losses limited, by its congestion control; limits
 *     the optimistic rate of a sender with the same one
 * @param learned corrections that streams and throughput tests gave, by congestion control
 * @param bufferBytes the smaller of the socket buffers that its ends give a connection, the
 *     sender's and the receiver's; empty if they never limit, or are unknown
 * @param capacityOnlySaid whether the capacity was only stated by operators, and no transfer has
 *     shown it
 * @param blocksDatagrams whether no datagram was answered while connections got through
 */
public record LinkEstimate(
    Duration rtt,
    LossEstimate loss,
    Capacity capacity,
    Map<CongestionControl, AchievedRate> achieved,
    Map<CongestionControl, LearnedCorrection> learned,
    OptionalLong bufferBytes,
    boolean capacityOnlySaid,
    boolean blocksDatagrams) {

  /** Checks the values. */
  public LinkEstimate {
    achieved = Map.copyOf(achieved);
    learned = Map.copyOf(learned);
    if (!rtt.isPositive()) {
      throw Require.outside("rtt", rtt, "> 0");
    }
    bufferBytes.ifPresent(value -> Require.atLeast("bufferBytes", value, 1));
  }

  /** A link without corrections, between hosts whose buffers never limit. */
  public LinkEstimate(Duration rtt, LossEstimate loss, Capacity capacity) {
    this(rtt, loss, capacity, Map.of(), Map.of(), OptionalLong.empty(), false, false);
  }

  /** A described link without a stated capacity: unlimited. */
  public static LinkEstimate of(Duration rtt, LossEstimate loss) {
    return new LinkEstimate(rtt, loss, new Capacity.Unlimited());
  }

  /** The same link with a known capacity. */
  public LinkEstimate withCapacity(Rate known) {
    return withCapacity(new Capacity.Known(known.bitsPerSecond()));
  }

  /** The same link with this capacity, as far as it is known. */
  public LinkEstimate withCapacity(Capacity other) {
    return new LinkEstimate(
        rtt, loss, other, achieved, learned, bufferBytes, capacityOnlySaid, blocksDatagrams);
  }

  /** The same link with other losses. */
  public LinkEstimate withLoss(LossEstimate other) {
    return new LinkEstimate(
        rtt, other, capacity, achieved, learned, bufferBytes, capacityOnlySaid, blocksDatagrams);
  }

  /** The same link with the rate that a transfer has achieved over it. */
  public LinkEstimate withAchieved(AchievedRate rate) {
    return new LinkEstimate(
        rtt,
        loss,
        capacity,
        and(achieved, rate.control(), rate),
        learned,
        bufferBytes,
        capacityOnlySaid,
        blocksDatagrams);
  }

  /** The same link with the correction for one congestion control. */
  public LinkEstimate withLearned(CongestionControl control, LearnedCorrection lesson) {
    return new LinkEstimate(
        rtt,
        loss,
        capacity,
        achieved,
        and(learned, control, lesson),
        bufferBytes,
        capacityOnlySaid,
        blocksDatagrams);
  }

  /** The same link without corrections. */
  LinkEstimate withoutLearned() {
    return learned.isEmpty()
        ? this
        : new LinkEstimate(
            rtt,
            loss,
            capacity,
            achieved,
            Map.of(),
            bufferBytes,
            capacityOnlySaid,
            blocksDatagrams);
  }

  /**
   * The rate that a transfer with this congestion control has achieved lately; empty if unknown.
   */
  public Optional<AchievedRate> achieved(CongestionControl control) {
    return Optional.ofNullable(achieved.get(control));
  }

  /** The correction for this congestion control. */
  public LearnedCorrection learned(CongestionControl control) {
    return learned.getOrDefault(control, LearnedCorrection.NOTHING);
  }

  /** Whether transfers with this congestion control have shown its rate on this link. */
  boolean isTried(CongestionControl control) {
    return achieved.containsKey(control) || learned(control).evidence() > 0;
  }

  private static <T> Map<CongestionControl, T> and(
      Map<CongestionControl, T> known, CongestionControl control, T value) {
    Map<CongestionControl, T> all = new HashMap<>(known);
    all.put(control, value);
    return all;
  }

  /** The same link between hosts whose smaller buffer has this size. */
  public LinkEstimate withBuffers(long bytes) {
    return new LinkEstimate(
        rtt,
        loss,
        capacity,
        achieved,
        learned,
        OptionalLong.of(bytes),
        capacityOnlySaid,
        blocksDatagrams);
  }

  /** The same link between hosts whose buffers never limit. */
  LinkEstimate withoutBuffers() {
    return bufferBytes.isEmpty()
        ? this
        : new LinkEstimate(
            rtt,
            loss,
            capacity,
            achieved,
            learned,
            OptionalLong.empty(),
            capacityOnlySaid,
            blocksDatagrams);
  }

  /** The same link, whose capacity operators stated and no transfer has shown. */
  public LinkEstimate withCapacityOnlySaid() {
    return new LinkEstimate(
        rtt, loss, capacity, achieved, learned, bufferBytes, true, blocksDatagrams);
  }

  /** The same link if no datagram gets through, as with a firewall that blocks UDP. */
  public LinkEstimate withoutDatagrams() {
    return new LinkEstimate(
        rtt, loss, capacity, achieved, learned, bufferBytes, capacityOnlySaid, true);
  }

  /** Whether both have the same measurements, and so are the same path. */
  boolean isSamePathAs(LinkEstimate other) {
    return rtt.equals(other.rtt) && loss.equals(other.loss) && capacity.equals(other.capacity);
  }

  double rttSeconds() {
    return rtt.getSeconds() + rtt.getNano() / 1e9;
  }
}
