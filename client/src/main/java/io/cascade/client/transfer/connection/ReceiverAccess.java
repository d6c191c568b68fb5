package io.cascade.client.transfer.connection;

import java.io.IOException;

/** What a sender does on each new connection before it speaks to the receiver. */
@FunctionalInterface
public interface ReceiverAccess {
  /** Speaks in clear at once, to a receiver that is open to anyone. */
  ReceiverAccess IN_CLEAR = connection -> connection;

  /**
   * Waits until the receiver can be spoken to. Bounded in time. May be called by several threads.
   *
   * @param connection connected and blocking; closed where this fails
   * @return the connection over which the transfer goes
   * @throws TransferFailed where no other connection would be of use: the receiver refuses, or is
   *     not the one that is meant
   * @throws IOException where the connection broke
   */
  ByteConnection over(ByteConnection connection) throws IOException;
}
