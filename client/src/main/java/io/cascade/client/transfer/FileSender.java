package io.cascade.client.transfer;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.TransferHeader;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;

/** Sends a file over one connection. */
public final class FileSender {
  /**
   * Time after which whoever took a connection and said nothing is no receiver: one speaks as soon
   * as it has the header or the first message of the proof.
   */
  public static final Duration SILENCE = Duration.ofSeconds(10);

  private final ByteConnection connection;
  private final Duration patience;
  private final TransferListener listener;
  private final RateLimit limit;
  private final Duration silence;

  /**
   * @param connection connected and blocking; closed when the transfer has ended, in either way
   * @param patience how long not a single byte may move before the transfer is given up
   */
  public FileSender(ByteConnection connection, Duration patience, TransferListener listener) {
    this(connection, patience, listener, RateLimit.NONE);
  }

  /**
   * @param limit of what is written
   */
  public FileSender(
      ByteConnection connection, Duration patience, TransferListener listener, RateLimit limit) {
    this(connection, patience, listener, limit, SILENCE);
  }

  FileSender(
      ByteConnection connection,
      Duration patience,
      TransferListener listener,
      RateLimit limit,
      Duration silence) {
    this.limit = limit;
    this.silence = silence;
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
      Thread.ofVirtual().name("silence").start(() -> awaitWord(transfer));
      return transfer.await();
    }
  }

  private void awaitWord(FileTransfer transfer) {
    try {
      transfer.pause(silence);
      if (!transfer.isAnswered()) {
        transfer.failed(
            TransferFailed.unanswered(
                "no cascade receive answers over the connection to %s: nothing said a word of one in %d s; fix: start ./cascade receive there, or use --raw for another server"
                    .formatted(connection.peer(), silence.toSeconds())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
