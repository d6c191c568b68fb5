package io.cascade.relay.junction;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * History of a segment's pipes: how long each took to answer, and when it last failed. Chooses the
 * pipe over which a stream begins. Thread-safe.
 */
final class PipeHistory {
  private static final long FRESH_NANOS = 5_000_000_000L;

  private final int count;
  private final LongSupplier nanoTime;
  private final AtomicLongArray answerNanos;

  /** 0 for a pipe that has not failed, or has worked since. */
  private final AtomicLongArray failedNanos;

  PipeHistory(int count, LongSupplier nanoTime) {
    this.count = count;
    this.nanoTime = nanoTime;
    this.answerNanos = new AtomicLongArray(count);
    this.failedNanos = new AtomicLongArray(count);
  }

  int count() {
    return count;
  }

  /** Whether the pipe existed when this history began; later pipes have no history. */
  private boolean knows(int pipe) {
    return pipe < count;
  }

  /** The far junction answered on a pipe, so long after it was dialled. */
  void answered(int pipe, long afterNanos) {
    if (!knows(pipe)) {
      return;
    }
    long before = answerNanos.get(pipe);
    answerNanos.set(pipe, before == 0 ? afterNanos : before + (afterNanos - before) / 4);
    failedNanos.set(pipe, 0);
  }

  void failed(int pipe) {
    if (knows(pipe)) {
      failedNanos.set(pipe, Math.max(1, nanoTime.getAsLong()));
    }
  }

  /** Whether a pipe failed recently and has not worked since. */
  private boolean isDoubtful(int pipe) {
    long at = failedNanos.get(pipe);
    return at != 0 && nanoTime.getAsLong() - at < FRESH_NANOS;
  }

  /**
   * Returns the pipe that is expected to answer first; a pipe that was never used is tried early.
   *
   * @param usable pipes to choose from; if there is none, all are
   */
  int best(IntPredicate usable) {
    int best = -1;
    for (int pipe = 0; pipe < count; pipe++) {
      if (usable.test(pipe) && (best < 0 || isBetter(pipe, best))) {
        best = pipe;
      }
    }
    return best < 0 ? best(_ -> true) : best;
  }

  private boolean isBetter(int pipe, int other) {
    if (isDoubtful(pipe) != isDoubtful(other)) {
      return isDoubtful(other);
    }
    return answerNanos.get(pipe) < answerNanos.get(other);
  }
}
