package io.cascade.client.transfer.connection;

import java.io.IOException;

/** Prepares each new connection of a sender before it sends to the receiver. */
@FunctionalInterface
public interface ReceiverAccess {
  /** Uses clear text, for a receiver that accepts every sender. */
  ReceiverAccess IN_CLEAR = connection -> connection;

  /**
   * Prepares a connection; blocks, bounded in time. Thread-safe.
   *
   * @param connection connected and blocking; closed where this fails
   * @return the connection for the transfer
   * @throws TransferFailed where another connection would not help: the receiver refuses, or is not
   *     the expected one
   * @throws IOException where the connection failed
   */
  ByteConnection over(ByteConnection connection) throws IOException;
}
