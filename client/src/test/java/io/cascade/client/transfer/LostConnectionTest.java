package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.schedule.BlockSchedule;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the other connections of a transfer are given after one was lost. */
@Timeout(60)
class LostConnectionTest {
  private static final int SIZE = 8 << 20;

  @TempDir Path folder;

  /** The receiver may have been killed, which a session over UDP does not hear. */
  @Test
  void oneOverWhichNothingIsHeardIsGivenNothingMore() throws Exception {
    Path content = Files.write(folder.resolve("file"), new byte[SIZE]);
    FakeConnection breaking = new FakeConnection();
    FakeConnection silent = new FakeConnection();
    silent.open.countDown();
    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer =
            new FileTransfer(
                new TransferHeader("file", SIZE).asResumable(),
                file,
                Original.NONE,
                Duration.ofSeconds(30),
                TransferListener.SILENT)) {
      transfer.over(breaking);
      transfer.over(silent);
      await().until(() -> silent.bytes() >= BlockSchedule.LEAST_WINDOW);
      breaking.open.countDown();
      await().until(() -> breaking.bytes() >= BlockSchedule.LEAST_WINDOW);
      List<Receipt> before = List.copyOf(silent.blocks);

      breaking.lose();
      await().until(() -> silent.hasNothing);

      assertThat(silent.blocks).isEqualTo(before);
      before.forEach(one -> silent.replies.add(one.encode()));
      await().until(() -> silent.blocks.containsAll(breaking.blocks));
    }
  }

  /** A connection whose other end is this test. */
  private static final class FakeConnection implements ByteConnection {
    private static final ByteBuffer END = ByteBuffer.allocate(0);

    final CountDownLatch open = new CountDownLatch(1);
    final List<Receipt> blocks = new CopyOnWriteArrayList<>();
    final BlockingQueue<ByteBuffer> replies = new LinkedBlockingQueue<>();
    volatile boolean hasNothing;
    private volatile boolean lost;
    private ByteBuffer reply = END;

    long bytes() {
      return blocks.stream().mapToLong(Receipt::length).sum();
    }

    void lose() {
      lost = true;
      replies.add(END);
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
      try {
        open.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      if (lost) {
        throw new IOException("lost");
      }
      int first = from.getInt(from.position());
      if (first == Block.ALIVE) {
        hasNothing = true;
      } else if (first > 0) {
        blocks.add(new Receipt(from.getLong(from.position() + Block.LENGTH_BYTES), first));
      }
      int length = from.remaining();
      from.position(from.limit());
      return length;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
      try {
        while (!reply.hasRemaining()) {
          reply = replies.take();
          if (reply.equals(END)) {
            throw new IOException("lost");
          }
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      int length = Math.min(reply.remaining(), into.remaining());
      into.put(reply.slice(reply.position(), length));
      reply.position(reply.position() + length);
      return length;
    }

    @Override
    public void shutdownOutput() {}

    @Override
    public void reset() {
      lose();
    }

    @Override
    public String peer() {
      return "the test";
    }

    @Override
    public boolean isOpen() {
      return !lost;
    }

    @Override
    public void close() {
      lose();
    }
  }
}
