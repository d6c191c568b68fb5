package io.cascade.relay.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LastingThreadTest {
  @Test
  void goesOnAfterWhateverARoundThrows() throws InterruptedException {
    Iterator<Throwable> failures =
        List.<Throwable>of(
                new IllegalStateException("a defect"),
                new OutOfMemoryError("for a moment"),
                new NoClassDefFoundError("missing"))
            .iterator();
    AtomicInteger rounds = new AtomicInteger();
    Thread thread =
        LastingThread.unstarted(
            "rounds",
            Duration.ofMillis(1),
            () -> {
              rounds.incrementAndGet();
              if (failures.hasNext()) {
                switch (failures.next()) {
                  case RuntimeException e -> throw e;
                  case Error e -> throw e;
                  default -> throw new AssertionError();
                }
              }
              return false;
            });
    thread.start();
    thread.join();
    assertThat(rounds).hasValue(4);
  }

  @Test
  void aRegularTaskThatThrowsAnErrorRunsAgain() throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(2);
    Thread thread =
        LastingThread.every(
            Duration.ofMillis(1),
            "regular",
            () -> {
              runs.countDown();
              throw new OutOfMemoryError("for a moment");
            });
    runs.await();
    thread.interrupt();
    thread.join();
  }

  @Test
  void asksForTheIntervalAfterEveryRun() throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(3);
    Iterator<Duration> intervals =
        List.of(Duration.ZERO, Duration.ofMillis(1), Duration.ofDays(1)).iterator();
    Thread thread = LastingThread.every(intervals::next, "regular", runs::countDown);
    runs.await();
    thread.interrupt();
    thread.join();
  }

  @Test
  void endsWhenItIsInterrupted() throws InterruptedException {
    Thread thread = LastingThread.every(Duration.ofDays(1), "regular", () -> {});
    thread.interrupt();
    thread.join();
    assertThat(thread.isAlive()).isFalse();
  }
}
