package io.cascade.orchestrator.planning;

import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;

/** What is left of the time that something may take, from its making on. */
final class TimeLeft {
  private final Timekeeper time;
  private final Duration most;
  private final long begun;

  TimeLeft(Timekeeper time, Duration most) {
    this.time = time;
    this.most = most;
    this.begun = time.mark();
  }

  /** Time that is left; negative where it is over. */
  Duration get() {
    return most.minusNanos(time.mark() - begun);
  }

  /** Whether something is over in time that begins now and takes so long. */
  boolean isEnoughFor(Duration length) {
    return get().compareTo(length) >= 0;
  }
}
