package io.cascade.client.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Random;

/**
 * Measures a path to a {@link FileReceiver} by sending it random bytes, of which it keeps nothing:
 * over the same protocol as a file, so that the path is used as a file would use it.
 */
public final class PathTest {
  /** What is under way when the time is over has so long to arrive. */
  private static final Duration DRAIN = Duration.ofSeconds(10);

  private PathTest() {}

  /**
   * Sends for some time, or until the receiver takes no more.
   *
   * @param connection connected and blocking; closed at the end
   * @return what arrived, how quickly, and what the kernel counted
   * @throws TransferFailed where the receiver does not speak this protocol, or stops
   */
  public static FileTransfer.Share run(SocketChannel connection, Duration time)
      throws TransferFailed {
    try (RandomBytes content = new RandomBytes(time);
        FileTransfer transfer =
            new FileTransfer(
                TransferHeader.ofTest(), content, time.plus(DRAIN), TransferListener.SILENT)) {
      transfer.over(connection);
      Sent _ = transfer.await();
      return transfer.shares().getFirst();
    }
  }

  /** Random, so that nothing on the way compresses it. */
  private static final class RandomBytes implements ReadableByteChannel {
    /** A slow path has no more than this under way that was not sent in time. */
    private static final int PIECE_BYTES = 64 * 1_024;

    private final byte[] piece = new byte[PIECE_BYTES];
    private final long startNanos = System.nanoTime();
    private final long nanos;
    private long left = TestReception.MOST_BYTES;

    RandomBytes(Duration time) {
      nanos = time.toNanos();
      new Random().nextBytes(piece);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      int bytes = (int) Math.min(Math.min(into.remaining(), PIECE_BYTES), left);
      if (bytes == 0 || System.nanoTime() - startNanos > nanos) {
        return -1;
      }
      into.put(piece, 0, bytes);
      left -= bytes;
      return bytes;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }
}
