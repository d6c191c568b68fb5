package io.cascade.carriage.coded;

/**
 * The highest rate at which packets passed a path, averaged between two checks. It bounds a
 * controller's own estimate, which bunched arrivals raise for a moment. Used by one thread.
 */
final class PassedRate {
  private static final double MOST_LOSS = 0.9;

  private long atNanos;
  private long sent;
  private boolean hasLooked;
  private double highest;

  /**
   * Records a check.
   *
   * @param sentPackets since the beginning
   * @param lossRate of recently sent packets, 0 to 1
   * @param baseLossRate loss rate of the path itself after its bottleneck, 0 to 1
   */
  void note(long nowNanos, long sentPackets, double lossRate, double baseLossRate) {
    if (hasLooked && nowNanos > atNanos) {
      double packets = sentPackets - sent;
      double arrived = packets * (1 - Math.clamp(lossRate, 0.0, 1.0));
      double passed = Math.min(packets, arrived / (1 - Math.clamp(baseLossRate, 0.0, MOST_LOSS)));
      highest = Math.max(highest, passed * 1e9 / (nowNanos - atNanos));
    }
    hasLooked = true;
    atNanos = nowNanos;
    sent = sentPackets;
  }

  /** Packets per second; 0 before the second check. */
  double highest() {
    return highest;
  }
}
