package io.cascade.orchestrator.planning;

import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;

/** Deadline of an operation, counted from the creation of this object. */
final class TimeLeft {
  private final Timekeeper time;
  private final Duration most;
  private final long begun;

  TimeLeft(Timekeeper time, Duration most) {
    this.time = time;
    this.most = most;
    this.begun = time.mark();
  }

  /** Remaining time; negative after the deadline. */
  Duration get() {
    return most.minusNanos(time.mark() - begun);
  }

  /** Whether something that starts now and takes this long ends before the deadline. */
  boolean isEnoughFor(Duration length) {
    return get().compareTo(length) >= 0;
  }
}
