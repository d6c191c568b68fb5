package io.cascade.client.transfer.connection;

import io.cascade.api.orchestrator.TransferAccount;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a transfer, over TCP or over a coded session. Reads and writes block; a close
 * from another thread ends them with an exception.
 */
public interface ByteConnection extends ByteChannel {
  /** Ends the output after everything written. */
  void shutdownOutput() throws IOException;

  /** Resets the connection, discarding everything undelivered. */
  void reset();

  /** The peer's address for display. */
  String peer();

  /**
   * A transfer begins to use it.
   *
   * @param nowNanos by {@link System#nanoTime}, as in the following methods
   */
  default void begin(long nowNanos) {}

  /**
   * The transfer has received a message of the receiver.
   *
   * @param confirmedBytes that have arrived over this connection
   */
  default void look(long nowNanos, long confirmedBytes) {}

  /** Account up to the latest sample; null where nothing is counted. */
  default @Nullable TransferAccount account() {
    return null;
  }

  /** Waits until the peer has what was written, if the process has to stay for that. */
  default void awaitDelivery(Duration patience) {}
}
