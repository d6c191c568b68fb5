package io.cascade.client.transfer;

import java.util.ArrayDeque;

/** How many bytes have arrived over a connection, and how quickly they did lately. */
final class Pace {
  private static final long BUCKET_NANOS = 50_000_000;

  /** Looks back for ten seconds at the most. */
  private static final int MOST_BUCKETS = 200;

  private final long startNanos;
  private final ArrayDeque<Bucket> buckets = new ArrayDeque<>();
  private long bytes;

  /** Bytes that had arrived at the end of a span of time. */
  private record Bucket(long number, long bytes) {}

  /**
   * @param startNanos when the first byte was sent
   */
  Pace(long startNanos) {
    this.startNanos = startNanos;
  }

  long startNanos() {
    return startNanos;
  }

  long bytes() {
    return bytes;
  }

  /** Records that so many more bytes have arrived. */
  void arrived(long more, long nowNanos) {
    bytes += more;
    long number = Math.floorDiv(nowNanos - startNanos, BUCKET_NANOS);
    if (!buckets.isEmpty() && buckets.getLast().number() == number) {
      buckets.removeLast();
    }
    buckets.addLast(new Bucket(number, bytes));
    if (buckets.size() > MOST_BUCKETS) {
      buckets.removeFirst();
    }
  }

  /** Bits per second since the first byte was sent. */
  double averageBitsPerSecond(long nowNanos) {
    return bytes * 8e9 / Math.max(1, nowNanos - startNanos);
  }

  /** Bits per second from one moment to another. */
  double bitsPerSecond(long fromNanos, long toNanos) {
    double seconds = (toNanos - fromNanos) / 1e9;
    return seconds <= 0 ? 0 : 8 * (bytesAt(toNanos) - bytesAt(fromNanos)) / seconds;
  }

  private double bytesAt(long nanos) {
    long number = Math.floorDiv(nanos - startNanos, BUCKET_NANOS);
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
