package io.cascade.client.throughput;

import io.cascade.client.transfer.Carried;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Random;

/**
 * Measures a path to a {@link FileReceiver} by sending it random bytes, which it discards. It uses
 * the protocol of files, so that the path is used as by a file.
 */
public final class PathTest {
  /** Time without progress, beyond that of a test, after which the test fails. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private PathTest() {}

  /**
   * Sends for some time, or until the receiver accepts no more. Bytes in flight then are dropped:
   * buffers of relays may hold more than the path carries in as long again.
   *
   * @param channel connected and blocking; closed at the end
   * @return what arrived, how quickly, and what the kernel counted
   * @throws TransferFailed where the receiver does not speak this protocol, or stops
   */
  public static Carried run(SocketChannel channel, Duration time)
      throws TransferFailed, InterruptedException {
    try (RandomBytes content = new RandomBytes();
        FileTransfer transfer =
            new FileTransfer(
                TransferHeader.ofTest(),
                content,
                Original.NONE,
                time.plus(SILENCE),
                TransferListener.SILENT)) {
      dropWhenClosed(channel);
      transfer.over(TcpConnection.of(channel));
      transfer.pause(time);
      if (transfer.isOver()) {
        Sent _ = transfer.await();
      }
      return transfer.shares().getFirst();
    }
  }

  private static void dropWhenClosed(SocketChannel channel) throws TransferFailed {
    try {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException e) {
      throw new TransferFailed("the test's connection broke: " + e.getMessage(), e);
    }
  }

  /** Random, so that nothing on the path can compress it. */
  private static final class RandomBytes implements ReadableByteChannel {
    private static final int PIECE_BYTES = 64 * 1_024;

    private final byte[] piece = new byte[PIECE_BYTES];
    private long left = TransferHeader.MOST_TEST_BYTES;

    RandomBytes() {
      new Random().nextBytes(piece);
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      int bytes = (int) Math.min(Math.min(into.remaining(), PIECE_BYTES), left);
      if (bytes == 0) {
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
