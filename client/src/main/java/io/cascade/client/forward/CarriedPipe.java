package io.cascade.client.forward;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A pipe of a stream, as seen by the thread that maintains it. */
final class CarriedPipe {
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();

  /** Withdraws the pipe; guarded by the junction's event loop. */
  private Runnable withdrawal = () -> {};

  /** The pipe carries the stream from now on, until it is withdrawn or ends. */
  void begins(Runnable toWithdraw) {
    withdrawal = toWithdraw;
  }

  /** Withdraws the pipe; called on the junction's event loop. */
  void withdraw() {
    withdrawal.run();
  }

  void ended(boolean cleanly) {
    over.complete(cleanly);
  }

  /** Waits until the pipe has ended; returns false on time-out. */
  boolean awaitOver(Duration time) throws InterruptedException {
    return Waiting.isDone(over, time);
  }

  /** Whether the pipe ended cleanly; valid only after its end. */
  boolean endedCleanly() {
    return over.join();
  }
}
