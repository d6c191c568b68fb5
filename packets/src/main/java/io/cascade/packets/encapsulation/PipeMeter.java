package io.cascade.packets.encapsulation;

import io.cascade.packets.encapsulation.Arrivals.Counted;
import io.cascade.packets.pipes.PipeProperties;
import io.cascade.packets.pipes.SmoothedTime;
import org.jspecify.annotations.Nullable;

/**
 * Finds a pipe's properties from answers to probes.
 *
 * <p>The round trip without queues is the least one of the last 10 to 20 s, and so is the time to
 * the other end. What a probe takes longer to get there it has waited in a queue. The rate is what
 * arrives while a queue stands before the pipe (then the slowest link never idles), or what a train
 * of datagrams had; without a queue what arrives can only raise it. Loss is the share of numbers
 * that did not arrive while no queue stood, so that drops of a full queue do not count.
 */
final class PipeMeter {
  private static final long STANDING_QUEUE_NANOS = 10_000_000L;
  private static final long LEAST_QUEUE_NANOS = 50_000_000L;

  /** An answer that is later has stood in no queue that anybody would want to fill again. */
  private static final long MOST_QUEUE_NANOS = 1_000_000_000L;

  /** A queue that was seen before may not be there any longer. */
  private static final long QUEUE_WINDOW_NANOS = 60_000_000_000L;

  /**
   * Half of what passes between probes. Several that are read at once, after a pause of the peer,
   * say of no rate.
   */
  private static final long LEAST_INTERVAL_NANOS = 50_000_000L;

  private static final int ENOUGH_BYTES = 10_000;
  private static final int ENOUGH_PACKETS = 50;
  private static final double GAIN = 0.25;

  private final PipeProperties given;
  private final boolean rateIsGiven;
  private final boolean queueIsGiven;
  private final SmoothedTime roundTrip = new SmoothedTime();

  /** Both of the same probes, but for the first ones. */
  private LeastTime leastRoundTrip = new LeastTime();

  private LeastTime leastOutward = new LeastTime();
  private long queueWindowEndNanos;

  /** Longest times to the other end. A queue that stood longer than a window hides the least. */
  private long longestNow = Long.MIN_VALUE;

  private long longestBefore = Long.MIN_VALUE;
  private double bitsPerSecond;
  private double loss;
  private boolean lossKnown;
  private int trainSeen = -1;
  private @Nullable Counted rateFrom;
  private @Nullable Counted lossFrom;

  PipeMeter(PipeProperties given, boolean rateIsGiven, boolean queueIsGiven) {
    this.given = given;
    this.rateIsGiven = rateIsGiven;
    this.queueIsGiven = queueIsGiven;
  }

  /** Takes the round trip of a probe of which nothing else is known. */
  void answered(long roundTripNanos, long nowNanos) {
    leastRoundTrip.sample(roundTripNanos, nowNanos);
    roundTrip.sample(roundTripNanos);
  }

  /**
   * Takes the round trip of a probe, when it came to the other end, and what had come until then.
   *
   * @param sentNanos when it was sent, by this clock; its arrival is by the other one
   * @return how long it waited in queues on its way there
   */
  long arrived(long roundTripNanos, long sentNanos, Counted counted, long nowNanos) {
    answered(roundTripNanos, nowNanos);
    long outwardNanos = counted.lastNanos() - sentNanos;
    leastOutward.sample(outwardNanos, nowNanos);
    // No longer than it took there and back: clocks that are set or drift make no queue.
    long queueNanos =
        Math.min(outwardNanos - leastOutward.nanos(), roundTripNanos - leastRoundTrip.nanos());
    longest(leastOutward.nanos() + queueNanos, queueNanos, nowNanos);
    boolean queued = queueNanos > STANDING_QUEUE_NANOS;
    rate(counted, queued);
    loss(counted, queued);
    return queueNanos;
  }

  private void longest(long outwardNanos, long queueNanos, long nowNanos) {
    if (nowNanos - queueWindowEndNanos >= 0) {
      boolean isStale = nowNanos - queueWindowEndNanos >= QUEUE_WINDOW_NANOS;
      longestBefore = isStale ? Long.MIN_VALUE : longestNow;
      longestNow = Long.MIN_VALUE;
      queueWindowEndNanos = nowNanos + QUEUE_WINDOW_NANOS;
    }
    if (queueNanos <= MOST_QUEUE_NANOS) {
      longestNow = Math.max(longestNow, outwardNanos);
    }
  }

  /** The next counts are another peer's, by another clock. What is known of the path stays. */
  void startAnew() {
    rateFrom = null;
    lossFrom = null;
    trainSeen = -1;
    leastRoundTrip = new LeastTime();
    leastOutward = new LeastTime();
    longestNow = Long.MIN_VALUE;
    longestBefore = Long.MIN_VALUE;
  }

  private void rate(Counted counted, boolean queued) {
    if (counted.train() != trainSeen && counted.trainBitsPerSecond() > 0) {
      trainSeen = counted.train();
      bitsPerSecond = Math.max(bitsPerSecond, (double) counted.trainBitsPerSecond());
    }
    Counted before = rateFrom;
    if (before == null || before.packets() == 0) {
      rateFrom = counted;
      return;
    }
    long nanos = counted.lastNanos() - before.lastNanos();
    long bytes = counted.bytes() - before.bytes();
    if (nanos <= 0 || bytes < ENOUGH_BYTES) {
      rateFrom = queued ? before : counted; // Few bytes without a queue: the pipe idles.
      return;
    }
    if (nanos < LEAST_INTERVAL_NANOS) {
      return;
    }
    double arrived = bytes * 8e9 / nanos;
    bitsPerSecond =
        queued && bitsPerSecond > 0
            ? bitsPerSecond + GAIN * (arrived - bitsPerSecond)
            : Math.max(bitsPerSecond, arrived);
    rateFrom = counted;
  }

  private void loss(Counted counted, boolean queued) {
    Counted before = lossFrom;
    // What was sent before the peer counted its first datagram is not lost.
    if (before == null || before.packets() == 0 || queued) {
      lossFrom = counted;
      return;
    }
    int sent = counted.highest() - before.highest();
    if (sent < ENOUGH_PACKETS) {
      return;
    }
    double missing = Math.clamp(1 - (counted.packets() - before.packets()) / (double) sent, 0, 1);
    loss = lossKnown ? loss + GAIN * (missing - loss) : missing;
    lossKnown = true;
    lossFrom = counted;
  }

  private long longestQueueNanos() {
    long longest = Math.max(longestNow, longestBefore);
    return leastOutward.sampled() && longest > leastOutward.nanos()
        ? Math.min(longest - leastOutward.nanos(), MOST_QUEUE_NANOS)
        : 0;
  }

  boolean knowsRate() {
    return rateIsGiven || bitsPerSecond > 0;
  }

  /** A round trip that seldom is exceeded; before the first answer the given one. */
  long longestNanos() {
    return roundTrip.sampled() ? roundTrip.bound() : given.roundTripNanos();
  }

  long smoothedNanos() {
    return roundTrip.mean();
  }

  /** Returns what was measured, and what was given where nothing was. */
  PipeProperties properties() {
    if (!leastRoundTrip.sampled()) {
      return given;
    }
    long rate =
        rateIsGiven || bitsPerSecond < 1 ? given.bitsPerSecond() : Math.round(bitsPerSecond);
    long queue =
        queueIsGiven
            ? given.queueBytes()
            : Math.max(
                1, Math.round(rate / 8e9 * Math.max(longestQueueNanos(), LEAST_QUEUE_NANOS)));
    return new PipeProperties(
        leastRoundTrip.nanos(), rate, queue, lossKnown ? loss : given.lossProbability());
  }

  /** Whether a probe's time to the other end is known. */
  boolean knowsOutward() {
    return leastOutward.sampled();
  }

  /** Least time to the other end, by both clocks. */
  long outwardNanos() {
    return leastOutward.nanos();
  }
}
