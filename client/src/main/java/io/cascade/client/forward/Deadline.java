package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import java.time.Duration;

/** Closes a connection at a deadline, unless this object is closed before. */
final class Deadline implements AutoCloseable {
  private final Thread waiting;

  Deadline(BlockingConnection connection, Duration time) {
    waiting =
        Thread.ofVirtual()
            .name("deadline")
            .start(() -> {
              try {
                Thread.sleep(time);
                connection.reset();
              } catch (InterruptedException e) {
                // The deadline was cancelled.
              }
            });
  }

  @Override
  public void close() {
    waiting.interrupt();
  }
}
