package io.cascade.links;

import java.util.SplittableRandom;

/**
 * Drop probability of PIE (RFC 8033, section 4; names and constants as there). The delay is not
 * estimated from departures: the link knows its rate.
 */
final class PieControl {
  /** T_UPDATE. */
  static final long UPDATE_NANOS = 15_000_000;

  private static final double ALPHA = 0.125;
  private static final double BETA = 1.25;
  private static final long MAX_BURST_NANOS = 150_000_000;
  private static final int MEAN_PACKET_BYTES = 1_000;
  private static final double MARKS_BELOW = 0.1;

  private final long targetNanos;
  private final SplittableRandom draws;
  private double probability;
  private double accumulated;
  private double lastDelayNanos;
  private long burstNanos = MAX_BURST_NANOS;

  PieControl(long targetNanos, SplittableRandom draws) {
    this.targetNanos = targetNanos;
    this.draws = draws;
  }

  /** Whether nothing changes while the queue stays empty. */
  boolean isAtRest() {
    return probability == 0 && lastDelayNanos == 0 && burstNanos == MAX_BURST_NANOS;
  }

  /** Whether packets may be marked instead of dropped. */
  boolean marks() {
    return probability < MARKS_BELOW;
  }

  /**
   * Whether a packet that arrives now must be dropped.
   *
   * @param waitingBytes in the queue
   */
  boolean drops(long waitingBytes) {
    if (burstNanos > 0
        || (lastDelayNanos < targetNanos / 2.0 && probability < 0.2)
        || waitingBytes <= 2 * MEAN_PACKET_BYTES) {
      return false;
    }
    if (probability == 0) {
      accumulated = 0;
    }
    // Drops are neither too close together nor too far apart (section 5.4).
    accumulated += probability;
    if (accumulated < 0.85) {
      return false;
    }
    boolean drops = accumulated >= 8.5 || draws.nextDouble() < probability;
    if (drops) {
      accumulated = 0;
    }
    return drops;
  }

  /** Updates the probability; due once in {@link #UPDATE_NANOS}. */
  void update(double delayNanos) {
    double change =
        (ALPHA * (delayNanos - targetNanos) + BETA * (delayNanos - lastDelayNanos)) / 1e9 * scale();
    if (probability >= 0.1) {
      change = Math.min(change, 0.02);
    }
    probability += change;
    if (delayNanos == 0 && lastDelayNanos == 0) {
      probability *= 0.98;
    }
    probability = Math.clamp(probability, 0, 1);
    if (probability < 1e-9) {
      probability = 0;
    }
    burstNanos = Math.max(0, burstNanos - UPDATE_NANOS);
    if (probability == 0 && delayNanos < targetNanos / 2.0 && lastDelayNanos < targetNanos / 2.0) {
      burstNanos = MAX_BURST_NANOS;
    }
    lastDelayNanos = delayNanos;
  }

  /** Smaller steps while the probability is small (section 4.2). */
  private double scale() {
    if (probability < 1e-6) {
      return 1.0 / 2_048;
    } else if (probability < 1e-5) {
      return 1.0 / 512;
    } else if (probability < 1e-4) {
      return 1.0 / 128;
    } else if (probability < 1e-3) {
      return 1.0 / 32;
    } else if (probability < 1e-2) {
      return 1.0 / 8;
    } else if (probability < 1e-1) {
      return 1.0 / 2;
    }
    return 1;
  }
}
