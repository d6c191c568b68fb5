package io.cascade.client.forward;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** Closes a connection that does not get something done in time, unless it is closed before. */
final class Deadline implements AutoCloseable {
  private final Thread waiting;

  Deadline(SocketChannel connection, Duration time) {
    waiting =
        Thread.ofVirtual()
            .name("deadline")
            .start(() -> {
              try {
                Thread.sleep(time);
                connection.close();
              } catch (InterruptedException | IOException e) {
                // Done in time, or closed already.
              }
            });
  }

  @Override
  public void close() {
    waiting.interrupt();
  }
}
