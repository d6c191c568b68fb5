package io.cascade.orchestrator.time;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
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

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void raise(Throwable failure) throws T {
    throw (T) failure;
  }
}
