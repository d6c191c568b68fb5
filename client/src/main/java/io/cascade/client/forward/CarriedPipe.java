package io.cascade.client.forward;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A pipe that carries a stream, for whoever keeps it. */
final class CarriedPipe {
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();

  /** Withdraws the pipe; belongs to the junction's event loop. */
  private Runnable withdrawal = () -> {};

  /** Carries from now on, until it is withdrawn or ends. */
  void begins(Runnable toWithdraw) {
    withdrawal = toWithdraw;
  }

  /** Does without it; on the junction's event loop. */
  void withdraw() {
    withdrawal.run();
  }

  void ended(boolean cleanly) {
    over.complete(cleanly);
  }

  /** Returns whether the pipe was over within the time. */
  boolean awaitOver(Duration time) throws InterruptedException {
    return Waiting.isDone(over, time);
  }

  /** Returns whether the pipe ended as it should; only once it is over. */
  boolean endedCleanly() {
    return over.join();
  }
}
