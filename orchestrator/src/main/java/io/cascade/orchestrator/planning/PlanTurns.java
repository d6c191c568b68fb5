package io.cascade.orchestrator.planning;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Limits the plans that are being made, in total and for each caller, since each of them has relays
 * probe a destination, and relays run a bounded number of probes at once. A caller without a turn
 * waits for a few seconds and is then refused.
 */
@Component
public class PlanTurns {
  static final int MOST = 16;

  /** Less than all turns, so that there is room for another caller. */
  static final int MOST_PER_CALLER = 8;

  private final Timekeeper time;
  private final Duration patience;
  private final Map<String, Integer> byCaller = new HashMap<>();
  private int underWay;

  @Autowired
  PlanTurns(Timekeeper time) {
    this(time, Duration.ofSeconds(5));
  }

  /**
   * @param patience longest time that a caller waits for a turn
   */
  PlanTurns(Timekeeper time, Duration patience) {
    this.time = time;
    this.patience = patience;
  }

  /**
   * Runs a task that needs a plan.
   *
   * @param caller the caller's address
   * @throws Refusal if there was no turn
   */
  public <T> T take(String caller, Supplier<T> planning) {
    enter(caller);
    try {
      return planning.get();
    } finally {
      leave(caller);
    }
  }

  private synchronized void enter(String caller) {
    long begun = time.mark();
    while (underWay >= MOST || byCaller.getOrDefault(caller, 0) >= MOST_PER_CALLER) {
      long left = patience.toNanos() - (time.mark() - begun);
      if (left <= 0) {
        throw new Refusal(
            ProblemKind.TOO_MANY_PLANS,
            underWay
                + " plans are being made, "
                + byCaller.getOrDefault(caller, 0)
                + " of them for "
                + caller
                + "; try again when they are done");
      }
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Refusal(ProblemKind.TOO_MANY_PLANS, "the orchestrator is stopping");
      }
    }
    byCaller.merge(caller, 1, Integer::sum);
    underWay++;
  }

  private synchronized void leave(String caller) {
    byCaller.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
    underWay--;
    notifyAll();
  }
}
