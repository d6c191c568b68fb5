package io.cascade.segments;

import org.jspecify.annotations.Nullable;

/**
 * The state of one stream, the reason for its failure, and the deadlines by which it ends: how long
 * it waits without a pipe, and how long after its own side was reset.
 */
final class Lifecycle {
  private static final long LINGER_NANOS = 30_000_000_000L;
  private static final long RESET_GRACE_NANOS = 5_000_000_000L;

  private final long patienceNanos;

  private StreamState state = StreamState.OPENING;
  private long waitingSinceNanos;
  private long graceEndsNanos = Long.MAX_VALUE;
  private SegmentStream.@Nullable Failure failure;

  /** Whether the stream was reset here, so that the peer must be told. */
  private boolean tellReset;

  /**
   * @param patienceNanos longest time without any pipe
   */
  Lifecycle(long patienceNanos, long nowNanos) {
    this.patienceNanos = patienceNanos;
    this.waitingSinceNanos = nowNanos;
  }

  StreamState state() {
    return state;
  }

  boolean over() {
    return state.over();
  }

  void on(StreamState.Event event) {
    state = state.on(event);
  }

  /**
   * Resets the stream; one that is complete is closed instead.
   *
   * @param tell whether the peer must be told
   */
  void fail(SegmentStream.Failure why, boolean tell) {
    if (state.over()) {
      return;
    }
    on(StreamState.Event.FAILED);
    if (state == StreamState.RESET) {
      failure = why;
      tellReset = tell;
    }
  }

  /** Reason for which the stream was reset; null if it was not. */
  SegmentStream.@Nullable Failure failure() {
    return failure;
  }

  /** The failure that the peer must be told; null if there is none, or the peer knows it. */
  SegmentStream.@Nullable Failure failureToTell() {
    return tellReset ? failure : null;
  }

  /**
   * The own side was reset: what it sent before is still sent to the peer until the grace period
   * ends.
   */
  void beginGrace(long nowNanos) {
    graceEndsNanos = Math.min(graceEndsNanos, nowNanos + RESET_GRACE_NANOS);
  }

  boolean graceOver(long nowNanos) {
    return nowNanos - graceEndsNanos >= 0 && graceEndsNanos != Long.MAX_VALUE;
  }

  /** Returns when the grace period ends; {@link Long#MAX_VALUE} if it has not begun. */
  long graceEndsNanos() {
    return graceEndsNanos;
  }

  /** Starts counting the time without a pipe. */
  void waitForPipe(long nowNanos) {
    waitingSinceNanos = nowNanos;
  }

  /**
   * Ends a stream that has waited too long for a pipe.
   *
   * @return when the time without a pipe expires; {@link Long#MAX_VALUE} if it has expired
   */
  long checkPatience(long nowNanos) {
    boolean complete = state == StreamState.COMPLETE;
    long patience = complete ? Math.min(LINGER_NANOS, patienceNanos) : patienceNanos;
    if (nowNanos - waitingSinceNanos < patience) {
      return waitingSinceNanos + patience;
    }
    on(StreamState.Event.PATIENCE_OVER);
    if (!complete) {
      String detail = "for %d s".formatted(patienceNanos / 1_000_000_000);
      failure = new SegmentStream.Failure(Reason.STRANDED, detail);
    }
    return Long.MAX_VALUE;
  }
}
