package io.cascade.coding.control;

/** What became of the packets of about one round trip, and how fast they arrived. */
final class RoundStatistics {
  private int arrived;
  private int lost;
  private long firstOrdinal = -1;
  private long firstNanos;
  private long lastOrdinal;
  private long lastNanos;

  void begin() {
    arrived = 0;
    lost = 0;
    firstOrdinal = -1;
  }

  void noteArrived(long ordinal, long receivedNanos) {
    arrived++;
    if (firstOrdinal < 0) {
      firstOrdinal = ordinal;
      firstNanos = receivedNanos;
      lastOrdinal = ordinal;
      lastNanos = receivedNanos;
    } else if (ordinal > lastOrdinal) {
      lastOrdinal = ordinal;
      lastNanos = receivedNanos;
    }
  }

  void noteLost() {
    lost++;
  }

  int arrived() {
    return arrived;
  }

  int lost() {
    return lost;
  }

  int packets() {
    return arrived + lost;
  }

  double lossRate() {
    return packets() == 0 ? 0 : (double) lost / packets();
  }

  /** Packets that the arrivals span. */
  long spanned() {
    return firstOrdinal < 0 ? 0 : lastOrdinal - firstOrdinal;
  }

  /**
   * Packets per second at which they arrived, those included that were lost between others: with
   * losses behind the bottleneck, its rate. 0 where there were too few to tell.
   */
  double arrivalRate() {
    return spanned() == 0 || lastNanos <= firstNanos
        ? 0
        : spanned() * 1e9 / (lastNanos - firstNanos);
  }

  /** Packets per second without those that were lost. */
  double deliveryRate() {
    return arrivalRate() * (1 - lossRate());
  }
}
