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
   * @param trainNanos time within which arrivals after the first count as one train with it: the
   *     rate is that of what comes behind
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

  /** Packets that the arrivals span. */
  long spanned() {
    return firstOrdinal < 0 ? 0 : lastOrdinal - firstOrdinal;
  }

  /**
   * Whether the arrivals span enough time to tell a rate. What waited somewhere on the way, or was
   * received as one train, arrives all at once.
   */
  boolean tellsRate(double leastNanos) {
    return spanned() > 0 && lastNanos - firstNanos >= leastNanos;
  }

  /**
   * Packets per second at which they arrived, those included that were lost between others: with
   * losses behind the bottleneck, its rate. 0 where there were too few to tell.
   */
  double arrivalRate() {
    return rate(lastNanos - firstNanos);
  }

  /** Packets per second at which those that arrived had been sent; 0 likewise. */
  double sendingRate() {
    return rate(lastSentNanos - firstSentNanos);
  }

  private double rate(long nanos) {
    return spanned() == 0 || nanos <= 0 ? 0 : spanned() * 1e9 / nanos;
  }

  /** Packets per second without those that were lost. */
  double deliveryRate() {
    return arrivalRate() * (1 - lossRate());
  }
}
