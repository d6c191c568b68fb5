package io.cascade.client.transfer;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.TransferHeader;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;

/** Sends a file over one connection. */
public final class FileSender {
  private final ByteConnection connection;
  private final Duration patience;
  private final TransferListener listener;
  private final RateLimit limit;

  /**
   * @param connection connected and blocking; closed when the transfer has ended, in either way
   * @param patience how long no byte may be moved before the transfer fails
   */
  public FileSender(ByteConnection connection, Duration patience, TransferListener listener) {
    this(connection, patience, listener, RateLimit.NONE);
  }

  /**
   * @param limit of what is written
   */
  public FileSender(
      ByteConnection connection, Duration patience, TransferListener listener, RateLimit limit) {
    this.limit = limit;
    this.connection = connection;
    this.patience = patience;
    this.listener = listener;
  }

  /**
   * Sends everything that {@code content} yields and waits for the receiver's answer.
   *
   * @param header whose size, where known, is what {@code content} will yield
   * @param original which must not change until everything was read
   * @throws TransferFailed where the receiver does not hold the verified file
   */
  public Sent send(TransferHeader header, ReadableByteChannel content, Original original)
      throws TransferFailed {
    try (FileTransfer transfer = new FileTransfer(header, content, original, patience, listener)) {
      transfer.limitedTo(limit).over(connection);
      return transfer.await();
    }
  }
}
