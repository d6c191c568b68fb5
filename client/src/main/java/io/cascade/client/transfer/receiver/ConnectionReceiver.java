package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.connection.ByteConnection;
import java.util.function.BooleanSupplier;

/** The receiving end of one connection: framed and verified, or raw. */
@FunctionalInterface
public interface ConnectionReceiver {
  /**
   * Receives until the connection has ended. Runs on the connection's own thread.
   *
   * @param admission asked once, when the peer has sent the beginning of a transfer
   */
  Outcome receive(ByteConnection connection, BooleanSupplier admission) throws InterruptedException;
}
