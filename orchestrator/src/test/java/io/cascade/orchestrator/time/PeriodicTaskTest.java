package io.cascade.orchestrator.time;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PeriodicTaskTest {
  private static final Duration PERIOD = Duration.ofMillis(1);

  static Throwable[] failures() {
    return new Throwable[] {
      new IllegalStateException("of the step"),
      new StackOverflowError(),
      new NoClassDefFoundError("of the step"),
      new OutOfMemoryError("Cannot reserve direct buffer memory")
    };
  }

  @ParameterizedTest
  @MethodSource("failures")
  void aStepThatFailsIsRunAgainAndKeepsNoOtherFromRunning(Throwable failure) {
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger after = new AtomicInteger();

    try (PeriodicTask _ =
        PeriodicTask.every(
            PERIOD,
            "test",
            () -> {
              failed.incrementAndGet();
              PeriodicTaskTest.<RuntimeException>raise(failure);
            },
            after::incrementAndGet)) {
      await().until(() -> failed.get() > 2 && after.get() > 2);
    }
  }

  @Test
  void asksForThePauseAfterEveryRound() {
    AtomicInteger rounds = new AtomicInteger();
    Iterator<Duration> pauses = List.of(Duration.ZERO, PERIOD, Duration.ofDays(1)).iterator();
    try (PeriodicTask _ = PeriodicTask.every(pauses::next, "test", rounds::incrementAndGet)) {
      await().until(() -> rounds.get() == 3);
    }
  }

  @Test
  void whoCannotWaitHasTheNextRoundBeginAtOnce() {
    AtomicInteger rounds = new AtomicInteger();
    try (PeriodicTask task =
        PeriodicTask.every(Duration.ofDays(1), "test", rounds::incrementAndGet)) {
      await().until(() -> rounds.get() == 1);
      task.soon();
      await().until(() -> rounds.get() == 2);
    }
  }

  @Test
  void goesOnAfterAStepThatLeavesItsThreadInterrupted() {
    AtomicInteger rounds = new AtomicInteger();
    try (PeriodicTask _ =
        PeriodicTask.every(
            PERIOD, "test", () -> Thread.currentThread().interrupt(), rounds::incrementAndGet)) {
      await().until(() -> rounds.get() > 2);
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable failure) throws T {
    throw (T) failure;
  }
}
