package io.cascade.client.transfer.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.client.transfer.FileSender;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.Queued;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.Reply;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A receiver that goes on, whatever becomes of single connections. */
@Timeout(60)
class AbandonedTransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  void whoOnlyAnnouncesAFileTakesNoBuffers() throws Exception {
    List<SocketChannel> all = new ArrayList<>();
    try (ReceivingPort port = port(PATIENCE)) {
      long before = directBytes();
      for (int i = 0; i < Arrivals.MOST_ARRIVING; i++) {
        all.add(announce(port, "file" + i));
      }
      await().until(() -> folder.toFile().list().length == Arrivals.MOST_ARRIVING);

      assertThat(directBytes() - before).isLessThan(4L * Block.MAX_BYTES);
    } finally {
      close(all);
    }
  }

  @Test
  void moreThanTheMostAtATimeWaitUntilOneHasGone() throws Exception {
    List<SocketChannel> all = new ArrayList<>();
    try (ReceivingPort port = port(PATIENCE)) {
      for (int i = 0; i < Arrivals.MOST_ARRIVING; i++) {
        all.add(announce(port, "file" + i));
      }
      await().until(() -> folder.toFile().list().length == Arrivals.MOST_ARRIVING);

      SocketChannel waits = announce(port, "one more");
      all.add(waits);
      assertThat(Reply.read(waits)).isEqualTo(new Queued(1));

      all.getFirst().close();
      assertThat(port.next()).isInstanceOf(Outcome.Broken.class);
      await().until(() -> folder.resolve(".one more.cascade-part").toFile().exists());
    } finally {
      close(all);
    }
  }

  @Test
  void whereAllPlacesAreTakenOneThatStandsStillGivesWay() throws Exception {
    List<SocketChannel> all = new ArrayList<>();
    try (ReceivingPort port = port(Duration.ZERO)) {
      for (int i = 0; i < Arrivals.MOST_ARRIVING; i++) {
        all.add(announce(port, "file" + i));
      }
      await().until(() -> folder.toFile().list().length == Arrivals.MOST_ARRIVING);

      assertThat(send(port).bytes()).isEqualTo(3);
    } finally {
      close(all);
    }
  }

  @Test
  void theBuffersOfATransferThatIsOverAreNotKept() throws Exception {
    long before = directBytes(); // Of other tests in this process.
    try (ReceivingPort port = port(PATIENCE)) {
      for (int i = 0; i < 40; i++) {
        try (SocketChannel sender = announce(port, "file" + i)) {
          sender.write(ByteBuffer.allocate(Block.PREFIX_BYTES + 1).putInt(0, 1));
          assertThat(Reply.read(sender)).isInstanceOf(Receipt.class);
        }
        assertThat(port.next()).isInstanceOf(Outcome.Broken.class);
      }

      await()
          .until(() -> {
            System.gc();
            return directBytes() < before + 20L * Block.MAX_BYTES;
          });
      assertThat(folder).isEmptyDirectory();
    }
  }

  @Test
  void anErrorEndsItsTransferAlone() throws Exception {
    AtomicBoolean first = new AtomicBoolean(true);
    TransferListener listener =
        new TransferListener() {
          @Override
          public void moved(long bytes) {
            if (first.getAndSet(false)) {
              throw new OutOfMemoryError("as if");
            }
          }
        };
    FileReceiver receiver =
        new FileReceiver(new OutputTarget(folder, false, false), PATIENCE, listener);
    try (ReceivingPort port = ReceivingPort.open(loopback(), Long.MAX_VALUE, receiver)) {
      assertThatThrownBy(() -> send(port)).isInstanceOf(TransferFailed.class);
      assertThat(((Outcome.Broken) port.next()).reason()).contains("OutOfMemoryError");
      assertThat(folder).isEmptyDirectory();

      assertThat(send(port).bytes()).isEqualTo(3);
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    }
  }

  @Test
  void aRawConnectionThatSaysNothingTakesNoBuffers() throws Exception {
    List<SocketChannel> all = new ArrayList<>();
    RawReceiver receiver =
        new RawReceiver(
            new OutputTarget(folder.resolve("raw"), false, false),
            PATIENCE,
            TransferListener.SILENT);
    try (ReceivingPort port = ReceivingPort.open(loopback(), Long.MAX_VALUE, receiver)) {
      long before = directBytes();
      for (int i = 0; i < 40; i++) {
        all.add(SocketChannel.open(address(port)));
      }
      try (SocketChannel speaks = SocketChannel.open(address(port))) {
        speaks.write(ByteBuffer.allocate(3));
      }
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);

      assertThat(directBytes() - before).isLessThan(10L * Block.MAX_BYTES);
    } finally {
      close(all);
    }
  }

  private ReceivingPort port(Duration standstill) throws IOException {
    return ReceivingPort.open(
        loopback(),
        Long.MAX_VALUE,
        new FileReceiver(
            new OutputTarget(folder, false, false), PATIENCE, standstill, TransferListener.SILENT));
  }

  private static SocketChannel announce(ReceivingPort port, String name) throws IOException {
    SocketChannel sender = SocketChannel.open(address(port));
    sender.write(
        new TransferHeader(name, 10, UUID.randomUUID(), TransferHeader.Purpose.FILE).encode());
    return sender;
  }

  private static Sent send(ReceivingPort port) throws IOException {
    return new FileSender(
            TcpConnection.of(Connections.connect(port.address(), PATIENCE)),
            PATIENCE,
            TransferListener.SILENT)
        .send(
            new TransferHeader("sent", 3),
            Channels.newChannel(new java.io.ByteArrayInputStream(new byte[3])),
            Original.NONE);
  }

  private static InetSocketAddress address(ReceivingPort port) throws IOException {
    return new InetSocketAddress("127.0.0.1", port.address().port());
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress("127.0.0.1", 0);
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static void close(List<SocketChannel> all) throws IOException {
    for (SocketChannel one : all) {
      one.close();
    }
  }
}
