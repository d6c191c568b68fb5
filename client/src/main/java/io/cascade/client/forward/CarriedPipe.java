package io.cascade.client.forward;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A pipe that carries a stream, on a thread of its own. */
final class CarriedPipe {
  private final Junction junction;
  private final PipeConnection pipe;
  private final CountDownLatch over = new CountDownLatch(1);
  private volatile boolean clean;

  private CarriedPipe(Junction junction, PipeConnection pipe) {
    this.junction = junction;
    this.pipe = pipe;
  }

  /**
   * Carries a stream over an introduced connection from now on.
   *
   * @return null where the stream is over
   */
  static @Nullable CarriedPipe begin(Junction junction, PipeHandshake.Introduced introduced)
      throws IOException {
    PipeConnection joined = junction.join(introduced);
    if (joined == null) {
      return null;
    }
    CarriedPipe carried = new CarriedPipe(junction, joined);
    Thread.ofVirtual().name("pipe-read").start(() -> carried.carry(introduced));
    return carried;
  }

  private void carry(PipeHandshake.Introduced introduced) {
    try {
      clean = junction.carry(pipe, introduced.arrived());
    } catch (IOException e) {
      clean = false;
    } finally {
      over.countDown();
    }
  }

  /** Returns whether the pipe was over within the time. */
  boolean awaitOver(Duration time) throws InterruptedException {
    return over.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Returns whether the pipe ended as it should; only once it is over. */
  boolean endedCleanly() {
    return clean;
  }

  /** Does without it: it ends once everything on it has arrived. */
  void withdraw() {
    junction.withdraw(pipe);
  }
}
