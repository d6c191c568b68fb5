package io.cascade.client.transfer.receiver;

import io.cascade.client.throughput.PathTest;
import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.FinalReply;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/**
 * Receives path tests ({@link PathTest}), confirms their bytes and discards them. A test is bounded
 * in bytes and time, and few run at once, since any sender may start one.
 */
final class TestReception {
  /** Bound of the whole test: the sender's own time and the data in flight then. */
  private static final Duration MOST_TIME = Duration.ofSeconds(30);

  private static final int MOST_AT_ONCE = 4;

  private final Semaphore places = new Semaphore(MOST_AT_ONCE);

  /** Receives until the sender has ended, or has exceeded a bound. */
  Outcome receive(ByteConnection connection) {
    if (!places.tryAcquire()) {
      return new Outcome.Ignored();
    }
    // The guard is not told of moved bytes: it ends the test after its time, whatever still
    // arrives.
    try (StallGuard guard = new StallGuard(connection, MOST_TIME)) {
      discard(connection);
    } catch (IOException e) {
      // The sender has the confirmations.
    } finally {
      places.release();
    }
    return new Outcome.Tested();
  }

  private static void discard(ByteConnection connection) throws IOException {
    ByteBuffer prefix = ByteBuffer.allocateDirect(Block.PREFIX_BYTES);
    ByteBuffer unwanted = ByteBuffer.allocateDirect(64 * 1_024);
    long total = 0;
    while (true) {
      Channels.readFully(connection, prefix.clear().limit(Block.LENGTH_BYTES));
      int length = prefix.getInt(0);
      if (length == 0) {
        readTrailer(connection, total);
        return;
      }
      total += length;
      if (length < 0 || length > Block.MAX_BYTES || total > TransferHeader.MOST_TEST_BYTES) {
        return;
      }
      Channels.readFully(connection, prefix.limit(Block.PREFIX_BYTES));
      long offset = prefix.getLong(Block.LENGTH_BYTES);
      for (int left = length; left > 0; ) {
        int read = connection.read(unwanted.clear().limit(Math.min(left, unwanted.capacity())));
        if (read < 0) {
          throw new EOFException("ended within a block");
        }
        left -= read;
      }
      Channels.writeFully(connection, new Receipt(offset, length).encode());
    }
  }

  /** Reads the trailer; its digest is ignored, since the bytes were discarded. */
  private static void readTrailer(ByteConnection connection, long total) throws IOException {
    ByteBuffer rest = ByteBuffer.allocate(Block.TRAILER_BYTES - Block.LENGTH_BYTES);
    Channels.readFully(connection, rest);
    byte[] digest = new byte[Sha256.BYTES];
    rest.flip().position(Long.BYTES).get(digest);
    Channels.writeFully(connection, FinalReply.stands(total, new Sha256(digest)).encode());
    connection.shutdownOutput();
  }
}
