package io.cascade.coding.control;

import io.cascade.coding.loss.BaseLoss;
import io.cascade.coding.loss.LossTest;

/**
 * Learns what a path loses below its capacity, from packets that cannot have met an overflow, and
 * tests rounds against it. Probes have the last word: where they differ much, what was learned
 * otherwise is forgotten.
 */
final class BaseLossLearner {
  private static final int LEAST_PROBED = 200;
  private static final double DIFFERS = 2.5;
  private static final double EXCEEDED = 1.15;

  /** The same for a round whose losses were taken for an overflow. */
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

  /** Packets that the rate rests on. */
  double packets() {
    return base.packets();
  }

  /** Share that the last probe lost, 0 to 1. */
  double lastProbeLoss() {
    return lastProbeLoss;
  }

  /**
   * Share that the last probes lost together, 0 to 1. One probe on a link of few packets in a round
   * trip has too few to tell.
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

  /** Losses in a row, on average. */
  double burstPackets() {
    return runs == 0 ? 1 : Math.max(1, losses / runs);
  }

  /** Packets that were sent below capacity. */
  void belowCapacity(int lost, int packets) {
    base.note(lost, packets);
  }

  /** START begins; what is known already was learned below capacity. */
  void startBegins() {
    startRoundGrew();
    startRoundGrew();
  }

  /**
   * A round of START has delivered clearly more than the one before. The last two of such rounds,
   * and what came after them, may have been overload.
   */
  void startRoundGrew() {
    lostBefore2 = lostBefore;
    packetsBefore2 = packetsBefore;
    lostBefore = base.lost();
    packetsBefore = base.packets();
  }

  /** Takes back what may have been overload. */
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
   * A round with a queue that teaches once the queue gets clearly longer than that.
   *
   * @param meanNanos of the queue
   * @param highNanos where it was longest
   * @param wasCut whether its losses were taken for an overflow
   */
  void roundAtLevel(double meanNanos, double highNanos, int lost, int packets, boolean wasCut) {
    levels.exceeded(meanNanos, base);
    levels.note((wasCut ? FAR_EXCEEDED : EXCEEDED) * highNanos, lost, packets);
  }

  /** Standard deviations by which a round lost more than the base. */
  double excess(int lost, int packets) {
    return LossTest.excess(lost, packets, base.rate(), base.packets(), burstPackets());
  }
}
