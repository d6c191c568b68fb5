package io.cascade.packets.encapsulation;

import io.cascade.packets.encapsulation.Arrivals.Counted;
import io.cascade.packets.pipes.PipeProperties;
import io.cascade.packets.pipes.SmoothedTime;
import org.jspecify.annotations.Nullable;

/**
 * Determines a pipe's properties from answers to probes.
 *
 * <p>The round trip without queues is the least one of the last 10 to 20 s, as is the time to the
 * other end. A probe that takes longer has waited in a queue. The rate is what arrives while a
 * queue stands before the pipe (then the slowest link is never idle), or that of a train of
 * datagrams; without a queue, arrivals can only raise it. Loss is the share of numbers that did not
 * arrive while no queue stood, so that drops of a full queue do not count.
 */
final class PipeMeter {
  private static final long WINDOW_NANOS = 10_000_000_000L;
  private static final long STANDING_QUEUE_NANOS = 10_000_000L;
  private static final long LEAST_QUEUE_NANOS = 50_000_000L;

  /** A longer queue should not be filled again. */
  private static final long MOST_QUEUE_NANOS = 1_000_000_000L;

  /** A queue that was observed before may have become shorter. */
  private static final long QUEUE_WINDOW_NANOS = 60_000_000_000L;

  /**
   * Half of the time between probes. Several that are read at once, after the peer was suspended,
   * show no rate.
   */
  private static final long LEAST_INTERVAL_NANOS = 50_000_000L;

  private static final int ENOUGH_BYTES = 10_000;
  private static final int ENOUGH_PACKETS = 50;
  private static final double GAIN = 0.25;

  private final PipeProperties given;
  private final boolean rateIsGiven;
  private final boolean queueIsGiven;
  private final SmoothedTime roundTrip = new SmoothedTime();

  /** Both are of the same probes, except the first ones. */
  private RecentTimes roundTrips = new RecentTimes(WINDOW_NANOS);

  private RecentTimes outward = new RecentTimes(WINDOW_NANOS);

  /**
   * Times to the other end over a longer window: a queue that stood for a whole window hides the
   * least one.
   */
  private RecentTimes longOutward = new RecentTimes(QUEUE_WINDOW_NANOS);

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

  /** Takes the round trip of a probe without further information. */
  void answered(long roundTripNanos, long nowNanos) {
    roundTrips.sample(roundTripNanos, nowNanos);
    roundTrip.sample(roundTripNanos);
  }

  /**
   * Takes the round trip of a probe, with the counts of arrivals at the other end at that time.
   *
   * @param sentNanos when it was sent, by this clock; its arrival is by the other one
   * @return how long it waited in queues on the way there
   */
  long arrived(long roundTripNanos, long sentNanos, Counted counted, long nowNanos) {
    answered(roundTripNanos, nowNanos);
    long outwardNanos = counted.lastNanos() - sentNanos;
    outward.sample(outwardNanos, nowNanos);
    // At most the round trip: clocks that are set or drift must not appear as a queue.
    long queueNanos =
        Math.min(outwardNanos - outward.leastNanos(), roundTripNanos - roundTrips.leastNanos());
    longOutward.sample(outward.leastNanos() + queueNanos, nowNanos);
    boolean queued = queueNanos > STANDING_QUEUE_NANOS;
    rate(counted, queued);
    loss(counted, queued);
    return queueNanos;
  }

  /**
   * The next counts are those of another peer, with another clock. What is known of the path stays.
   */
  void startAnew() {
    rateFrom = null;
    lossFrom = null;
    trainSeen = -1;
    roundTrips = new RecentTimes(WINDOW_NANOS);
    outward = new RecentTimes(WINDOW_NANOS);
    longOutward = new RecentTimes(QUEUE_WINDOW_NANOS);
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
      rateFrom = queued ? before : counted; // Few bytes without a queue: the pipe is idle.
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
    // Datagrams sent before the peer counted its first one are not lost.
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
    return longOutward.sampled()
        ? Math.clamp(longOutward.longestNanos() - outward.leastNanos(), 0, MOST_QUEUE_NANOS)
        : 0;
  }

  boolean knowsRate() {
    return rateIsGiven || bitsPerSecond > 0;
  }

  /** A round trip that is seldom exceeded; before the first answer the given one. */
  long longestNanos() {
    return roundTrip.sampled() ? roundTrip.bound() : given.roundTripNanos();
  }

  long smoothedNanos() {
    return roundTrip.mean();
  }

  /** The rate that was measured, or the given one. */
  long bitsPerSecond() {
    return rateIsGiven || bitsPerSecond < 1 ? given.bitsPerSecond() : Math.round(bitsPerSecond);
  }

  /** Returns what was measured, and the given values for the rest. */
  PipeProperties properties() {
    if (!roundTrips.sampled()) {
      return given;
    }
    long rate = bitsPerSecond();
    long queue =
        queueIsGiven
            ? given.queueBytes()
            : Math.max(
                1, Math.round(rate / 8e9 * Math.max(longestQueueNanos(), LEAST_QUEUE_NANOS)));
    return new PipeProperties(
        roundTrips.leastNanos(), rate, queue, lossKnown ? loss : given.lossProbability());
  }

  /** Least time to the other end, by both clocks; requires that a probe has arrived there. */
  long outwardNanos() {
    return outward.leastNanos();
  }
}
