package io.cascade.client.transfer.connection;

import io.cascade.api.orchestrator.TransferAccount;
import java.io.IOException;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a transfer, over TCP or over a coded session. Reads and writes wait; a close from
 * another thread ends them with an exception.
 */
public interface ByteConnection extends ByteChannel {
  /** Ends the output behind what was written. */
  void shutdownOutput() throws IOException;

  /** Drops the connection with everything that it has not delivered. */
  void reset();

  /** The peer's address for people to read. */
  String peer();

  /**
   * A transfer begins to use it.
   *
   * @param nowNanos by {@link System#nanoTime}, as what follows
   */
  default void begin(long nowNanos) {}

  /**
   * The transfer has heard from the receiver.
   *
   * @param confirmedBytes that have arrived over this connection
   */
  default void look(long nowNanos, long confirmedBytes) {}

  /** What was counted at the latest look; null where nothing is. */
  default @Nullable TransferAccount account() {
    return null;
  }

  /** Waits until the peer has what was written, where the process has to stay for that. */
  default void awaitDelivery(Duration patience) {}
}
