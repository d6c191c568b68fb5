package io.cascade.client.forward;

import io.cascade.carriage.blocking.BlockingConnection;
import java.time.Duration;

/** Closes a connection that does not get something done in time, unless it is closed before. */
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
                // Done in time.
              }
            });
  }

  @Override
  public void close() {
    waiting.interrupt();
  }
}
