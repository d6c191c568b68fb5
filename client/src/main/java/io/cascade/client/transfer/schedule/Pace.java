package io.cascade.client.transfer.schedule;

import java.util.ArrayDeque;

/** Pace of a connection: bytes that have arrived, their rate, and the time that a block takes. */
public final class Pace {
  private static final long BUCKET_NANOS = 50_000_000;

  /** Keeps at most ten seconds. */
  private static final int MOST_BUCKETS = 200;

  /** Least span of a rate; two deliveries of a block where that is longer. */
  private static final long RECENT_NANOS = 500_000_000;

  /** Seconds for which a reached rate counts: losses halve windows for a while. */
  private static final int PEAKS = 10;

  private static final long PEAK_NANOS = 1_000_000_000;

  private final long startNanos;
  private final ArrayDeque<Bucket> buckets = new ArrayDeque<>();
  private final ArrayDeque<Peak> peaks = new ArrayDeque<>();
  private long bytes;
  private double highestBitsPerSecond;
  private long leastDelayNanos = Long.MAX_VALUE;

  /** Bytes that had arrived at the end of an interval. */
  private record Bucket(long number, long bytes) {}

  /** The highest rate within a second. */
  private record Peak(long number, double bitsPerSecond) {}

  /**
   * @param startNanos when the first byte was sent
   */
  public Pace(long startNanos) {
    this.startNanos = startNanos;
  }

  public long bytes() {
    return bytes;
  }

  /**
   * Records that a block has arrived.
   *
   * @param length of the block
   * @param sentNanos when it was taken to be sent
   */
  void arrived(long length, long sentNanos, long nowNanos) {
    bytes += length;
    leastDelayNanos = Math.min(leastDelayNanos, Math.max(1, nowNanos - sentNanos));
    long number = Math.floorDiv(nowNanos - startNanos, BUCKET_NANOS);
    if (!buckets.isEmpty() && buckets.getLast().number() == number) {
      buckets.removeLast();
    }
    buckets.addLast(new Bucket(number, bytes));
    if (buckets.size() > MOST_BUCKETS) {
      buckets.removeFirst();
    }
    peak(recentBitsPerSecond(nowNanos), nowNanos);
  }

  private void peak(double bitsPerSecond, long nowNanos) {
    long number = Math.floorDiv(nowNanos - startNanos, PEAK_NANOS);
    highestBitsPerSecond = Math.max(highestBitsPerSecond, bitsPerSecond);
    double highest = bitsPerSecond;
    if (!peaks.isEmpty() && peaks.getLast().number() == number) {
      highest = Math.max(highest, peaks.removeLast().bitsPerSecond());
    }
    peaks.addLast(new Peak(number, highest));
    while (peaks.getFirst().number() <= number - PEAKS) {
      peaks.removeFirst();
    }
  }

  /** The shortest time from taking a block to its receipt; 0 where none has arrived. */
  long leastDelayNanos() {
    return bytes == 0 ? 0 : leastDelayNanos;
  }

  /** Bits per second since the first byte was sent. */
  public double averageBitsPerSecond(long nowNanos) {
    return bytes * 8e9 / Math.max(1, nowNanos - startNanos);
  }

  /** Recent bits per second; 0 where nothing has arrived. */
  public double recentBitsPerSecond(long nowNanos) {
    long span = Math.max(RECENT_NANOS, 2 * leastDelayNanos());
    return bitsPerSecond(nowNanos - span, nowNanos);
  }

  /** The highest rate within {@value #PEAKS} seconds before the last arrival. */
  double peakBitsPerSecond() {
    return peaks.stream().mapToDouble(Peak::bitsPerSecond).max().orElse(0);
  }

  /** The highest rate so far; 0 where nothing has arrived. */
  double highestBitsPerSecond() {
    return highestBitsPerSecond;
  }

  /** Bits per second from one time, or from the first byte where that is later, to another. */
  double bitsPerSecond(long fromNanos, long toNanos) {
    double seconds = (toNanos - Math.max(startNanos, fromNanos)) / 1e9;
    return seconds <= 0
        ? 0
        : 8 * (bytesAt(toNanos) - bytesAt(Math.max(startNanos, fromNanos))) / seconds;
  }

  private double bytesAt(long nanos) {
    long number = Math.floorDiv(nanos - startNanos, BUCKET_NANOS);
    if (buckets.isEmpty() || buckets.getLast().number() <= number) {
      return bytes;
    }
    long known = 0;
    for (Bucket bucket : buckets) {
      if (bucket.number() > number) {
        break;
      }
      known = bucket.bytes();
    }
    return known;
  }
}
