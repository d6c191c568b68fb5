package io.cascade.coding.control;

/** Fates of the packets of about one round trip, and the rate of their arrival. */
final class RoundStatistics {
  private int arrived;
  private int lost;
  private long firstOrdinal = -1;
  private long firstSentNanos;
  private long firstNanos;
  private long beganNanos;
  private double trainNanos;
  private long lastOrdinal;
  private long lastSentNanos;
  private long lastNanos;

  /**
   * Begins a round.
   *
   * @param trainNanos time within which arrivals after the first count as one train with it; the
   *     rate is measured from the train's last packet on
   */
  void begin(double trainNanos) {
    this.trainNanos = trainNanos;
    arrived = 0;
    lost = 0;
    firstOrdinal = -1;
  }

  void noteArrived(long ordinal, long sentNanos, long receivedNanos) {
    arrived++;
    if (firstOrdinal < 0) {
      beganNanos = receivedNanos;
    }
    if (firstOrdinal < 0 || (ordinal > firstOrdinal && receivedNanos - beganNanos <= trainNanos)) {
      firstOrdinal = ordinal;
      firstSentNanos = sentNanos;
      firstNanos = receivedNanos;
      lastOrdinal = ordinal;
      lastSentNanos = sentNanos;
      lastNanos = receivedNanos;
    } else if (ordinal > lastOrdinal) {
      lastOrdinal = ordinal;
      lastSentNanos = sentNanos;
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

  /** Number of packets that the arrivals span. */
  long spanned() {
    return firstOrdinal < 0 ? 0 : lastOrdinal - firstOrdinal;
  }

  /**
   * Whether the arrivals span enough time to determine a rate. Packets that were held up on the
   * path, or received as one train, arrive all at once.
   */
  boolean tellsRate(double leastNanos) {
    return spanned() > 0 && lastNanos - firstNanos >= leastNanos;
  }

  /**
   * Packets per second at which they arrived, including those lost in between: with losses after
   * the bottleneck, its rate. 0 if there were too few.
   */
  double arrivalRate() {
    return rate(lastNanos - firstNanos);
  }

  /** Packets per second at which the arrived packets were sent; 0 if there were too few. */
  double sendingRate() {
    return rate(lastSentNanos - firstSentNanos);
  }

  private double rate(long nanos) {
    return spanned() == 0 || nanos <= 0 ? 0 : spanned() * 1e9 / nanos;
  }

  /** Packets per second without the lost ones. */
  double deliveryRate() {
    return arrivalRate() * (1 - lossRate());
  }
}
