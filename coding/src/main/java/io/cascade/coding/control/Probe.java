package io.cascade.coding.control;

/**
 * Measures the path without this sender: for up to two round trips no more than a bound is in
 * flight, and the arrivals show whether the queue empties and how much is lost.
 */
final class Probe {
  /** Bound below which a probe detects nothing. */
  static final double LEAST_BOUND = 4;

  private static final int ROUNDS = 2;
  private static final int MOST_ROUNDS = 6;
  private static final int LEAST_ARRIVALS = 8;

  /** Number of packets that must find the queue empty. */
  private static final int WITNESSES = 3;

  private final double bound;
  private final long firstOrdinal;
  private int rounds;
  private int witnesses;
  private int seen;
  private int arrived;
  private int lost;
  private double lowestNanos = Double.MAX_VALUE;

  /**
   * @param bound packets in flight
   * @param firstOrdinal first ordinal sent under it
   */
  Probe(double bound, long firstOrdinal) {
    this.bound = bound;
    this.firstOrdinal = firstOrdinal;
  }

  double bound() {
    return bound;
  }

  /** Records an arrival and its queueing delay. */
  void arrived(long ordinal, double queueNanos, double emptyNanos) {
    seen++;
    lowestNanos = Math.min(lowestNanos, queueNanos);
    if (queueNanos <= emptyNanos) {
      witnesses++;
    }
    if (ordinal >= firstOrdinal) {
      arrived++;
    }
  }

  void lost(long ordinal) {
    if (ordinal >= firstOrdinal) {
      lost++;
    }
  }

  boolean foundEmpty() {
    return witnesses >= WITNESSES;
  }

  /** Counts a round; returns whether it was the last one. */
  boolean roundEnded() {
    rounds++;
    return (rounds >= ROUNDS && seen >= LEAST_ARRIVALS) || rounds >= MOST_ROUNDS;
  }

  int lost() {
    return lost;
  }

  int packets() {
    return arrived + lost;
  }

  /** Lowest queueing delay seen, in ns. */
  double lowestNanos() {
    return lowestNanos;
  }
}
