package io.cascade.coding.control;

import io.cascade.coding.loss.BaseLoss;
import io.cascade.coding.loss.LossTest;

/**
 * Learns the path's loss rate below its capacity, from packets that cannot have met an overflow,
 * and tests rounds against it. Probes take precedence: if they differ much, what was learned
 * otherwise is discarded.
 */
final class BaseLossLearner {
  private static final int LEAST_PROBED = 200;
  private static final double DIFFERS = 2.5;
  private static final double EXCEEDED = 1.15;

  /** The same for a round whose losses were attributed to an overflow. */
  private static final double FAR_EXCEEDED = 1.3;

  private static final double BURST_MEMORY = 200;

  private final BaseLoss base = new BaseLoss();
  private final LossAtLevels levels = new LossAtLevels();
  private double probedLost;
  private double probedPackets;
  private double lastProbeLoss;
  private double losses;
  private double runs;
  private long lastLost = -2;

  private double lostBefore;
  private double packetsBefore;
  private double lostBefore2;
  private double packetsBefore2;

  double rate() {
    return base.rate();
  }

  /** Number of packets on which the rate is based. */
  double packets() {
    return base.packets();
  }

  /** Share of packets lost in the last probe, 0 to 1. */
  double lastProbeLoss() {
    return lastProbeLoss;
  }

  /**
   * Share of packets lost in the last probes together, 0 to 1. On a link with few packets per round
   * trip, one probe has too few to determine it.
   */
  double probedLoss() {
    return probedPackets == 0 ? 0 : probedLost / probedPackets;
  }

  void noteBurst(long ordinal) {
    losses++;
    if (ordinal != lastLost + 1) {
      runs++;
    }
    lastLost = ordinal;
    if (losses > BURST_MEMORY) {
      runs *= BURST_MEMORY / losses;
      losses = BURST_MEMORY;
    }
  }

  /** Mean length of a loss burst, in packets. */
  double burstPackets() {
    return runs == 0 ? 1 : Math.max(1, losses / runs);
  }

  /** Records packets that were sent below capacity. */
  void belowCapacity(int lost, int packets) {
    base.note(lost, packets);
  }

  /** START begins; what is already known was learned below capacity. */
  void startBegins() {
    startRoundGrew();
    startRoundGrew();
  }

  /**
   * A round of START has delivered clearly more than the previous one. The last two of such rounds,
   * and packets after them, may have been overload.
   */
  void startRoundGrew() {
    lostBefore2 = lostBefore;
    packetsBefore2 = packetsBefore;
    lostBefore = base.lost();
    packetsBefore = base.packets();
  }

  /** Discards what may have been overload. */
  void startEnded() {
    base.replace(lostBefore2, packetsBefore2);
  }

  /** A probe has ended. */
  void probed(int lost, int packets) {
    if (packets == 0) {
      return;
    }
    base.note(lost, packets);
    lastProbeLoss = (double) lost / packets;
    probedLost += lost;
    probedPackets += packets;
    if (probedPackets >= LEAST_PROBED) {
      double z =
          LossTest.excess(probedLost, probedPackets, base.rate(), base.packets(), burstPackets());
      if (Math.abs(z) > DIFFERS) {
        base.replace(probedLost, probedPackets);
      }
      probedLost /= 2;
      probedPackets /= 2;
    }
  }

  /**
   * Records a round with a queue. Its losses count as base loss once the queue has become clearly
   * longer.
   *
   * @param meanNanos of the queue
   * @param highNanos the longest queue
   * @param wasCut whether its losses were attributed to an overflow
   */
  void roundAtLevel(double meanNanos, double highNanos, int lost, int packets, boolean wasCut) {
    levels.exceeded(meanNanos, base);
    levels.note((wasCut ? FAR_EXCEEDED : EXCEEDED) * highNanos, lost, packets);
  }

  /** Standard deviations by which a round's loss exceeds the base loss. */
  double excess(int lost, int packets) {
    return LossTest.excess(lost, packets, base.rate(), base.packets(), burstPackets());
  }
}
