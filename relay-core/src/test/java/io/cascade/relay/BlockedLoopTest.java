package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.relay.HealthStatus;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.chain.ManualClock;
import io.cascade.relay.thread.LoopPulses;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A relay one of whose event loops stands still is not healthy, though its control port answers.
 */
@Timeout(60)
class BlockedLoopTest {
  @Test
  void itsHealthIsNoneUntilTheLoopTurnsAgain() throws Exception {
    ManualClock clock = new ManualClock();
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (RelayNode relay =
        TestRelay.on(Transport.best()).eventLoops(2).clock(clock.clock()).start("r1")) {
      RelayControlClient control = TestChain.control(relay);
      assertThat(control.health(TestChain.PATIENCE).status()).isEqualTo(HealthStatus.UP);

      try {
        relay.loops.next().execute(() -> hold(entered, go));
        entered.await();
        clock.pass(LoopPulses.LONGEST.plusSeconds(1));

        await().until(() -> detail(control).contains("1 of 2 event loops"));
      } finally {
        go.countDown();
      }
      await().until(() -> problem(control) == null);
    }
  }

  private static void hold(CountDownLatch entered, CountDownLatch go) {
    entered.countDown();
    try {
      go.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String detail(RelayControlClient control) {
    ProblemException problem = problem(control);
    if (problem == null) {
      return "";
    }
    assertThat(problem.status()).isEqualTo(503);
    assertThat(problem.type()).isEqualTo("urn:cascade:problem:blocked");
    return String.valueOf(problem.getMessage());
  }

  private static @Nullable ProblemException problem(RelayControlClient control) {
    return catchThrowableOfType(ProblemException.class, () -> control.health(TestChain.PATIENCE));
  }
}
