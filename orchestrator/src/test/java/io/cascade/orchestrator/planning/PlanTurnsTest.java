package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class PlanTurnsTest {
  private static final Timekeeper TIME = new Timekeeper(Clock.systemUTC(), System::nanoTime);

  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final Semaphore begun = new Semaphore(0);
  private final Semaphore gate = new Semaphore(0);

  @AfterEach
  void end() {
    gate.release(1_000);
    callers.close();
  }

  @Test
  void aCallerHasSoManyAndTheOthersWhatIsLeft() throws Exception {
    PlanTurns turns = new PlanTurns(TIME, Duration.ZERO);
    List<Future<Integer>> plans = plan(turns, "a", PlanTurns.MOST_PER_CALLER);
    begun.acquire(PlanTurns.MOST_PER_CALLER);
    refused(turns, "a", "8 plans are being made, 8 of them for a; try again when they are done");

    int left = PlanTurns.MOST - PlanTurns.MOST_PER_CALLER;
    plans.addAll(plan(turns, "b", left));
    begun.acquire(left);
    refused(turns, "c", "16 plans are being made, 0 of them for c; try again when they are done");

    gate.release(PlanTurns.MOST);
    for (Future<Integer> plan : plans) {
      assertThat(plan.get()).isEqualTo(7);
    }
    assertThat(turns.<Integer>take("a", () -> 8)).isEqualTo(8);
  }

  @Test
  void whoWaitsHasTheTurnThatIsGivenBack() throws Exception {
    PlanTurns turns = new PlanTurns(TIME, Duration.ofSeconds(20));
    List<Future<Integer>> plans = plan(turns, "a", PlanTurns.MOST_PER_CALLER + 1);
    begun.acquire(PlanTurns.MOST_PER_CALLER);
    gate.release();
    begun.acquire();
    gate.release(PlanTurns.MOST_PER_CALLER);
    for (Future<Integer> plan : plans) {
      assertThat(plan.get()).isEqualTo(7);
    }
  }

  @Test
  void aPlanThatFailsGivesItsTurnBack() {
    PlanTurns turns = new PlanTurns(TIME, Duration.ZERO);
    CountDownLatch failures = new CountDownLatch(2 * PlanTurns.MOST);
    for (int i = 0; i < 2 * PlanTurns.MOST; i++) {
      assertThatThrownBy(() ->
              turns.take(
                  "a",
                  () -> {
                    failures.countDown();
                    throw new IllegalStateException("no plan");
                  }))
          .hasMessage("no plan");
    }
    assertThat(failures.getCount()).isZero();
  }

  private List<Future<Integer>> plan(PlanTurns turns, String caller, int count) {
    List<Future<Integer>> plans = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      plans.add(
          callers.submit(() ->
              turns.take(
                  caller,
                  () -> {
                    begun.release();
                    gate.acquireUninterruptibly();
                    return 7;
                  })));
    }
    return plans;
  }

  private static void refused(PlanTurns turns, String caller, String why) {
    assertThatThrownBy(() -> turns.take(caller, () -> 1))
        .isInstanceOfSatisfying(
            Refusal.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(ProblemKind.TOO_MANY_PLANS))
        .hasMessage(why);
  }
}
