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
 * Bounds the plans that are being made, all together and for one caller. Each of them has relays
 * probe a destination, of which they do a bounded number at once. Whoever finds no turn waits for a
 * few seconds and is refused then.
 */
@Component
public class PlanTurns {
  static final int MOST = 16;

  /** Leaves room for another caller. */
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
   * @param patience how long a caller waits for a turn
   */
  PlanTurns(Timekeeper time, Duration patience) {
    this.time = time;
    this.patience = patience;
  }

  /**
   * Does what needs a plan.
   *
   * @param caller the address that asks
   * @throws Refusal where there was no turn
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
