package io.cascade.client.transfer;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.Offer;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.Reply;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that fills ends the transfer that fills it, and no other. */
@Timeout(60)
class FullDiskTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int DISK_BYTES = 1 << 20;

  @TempDir Path disk = Path.of("");
  private boolean mounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = run("mount", "-t", "tmpfs", "-o", "size=" + DISK_BYTES, "tmpfs", disk.toString());
    if (!mounted) {
      System.out.println("SKIPPED: only root may mount a file system to fill");
    }
    assumeTrue(mounted, "only root may mount a file system to fill");
  }

  @AfterEach
  void unmount() throws Exception {
    if (mounted) {
      assertThat(run("umount", disk.toString())).isTrue();
    }
  }

  @Test
  void aTransferThatFillsItIsRefusedAndTheNextOneArrives() throws Exception {
    try (ReceivingPort port =
        ReceivingPort.open(
            new InetSocketAddress("127.0.0.1", 0),
            Long.MAX_VALUE,
            new FileReceiver(
                new OutputTarget(disk, false, false), PATIENCE, TransferListener.SILENT))) {
      assertThatThrownBy(() -> send(port, "large", 2 * DISK_BYTES))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("No space left on device");
      assertThat(port.next()).isInstanceOf(Outcome.Broken.class);
      assertThat(disk).isEmptyDirectory();

      send(port, "small", DISK_BYTES / 2);

      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(disk.resolve("small")).hasSize(DISK_BYTES / 2);
    }
  }

  @Test
  void aSparseFileGoesOnWhereTheRestOfItsDataFits(@TempDir Path folder) throws Exception {
    Path content = folder.resolve("image");
    byte[] data = new byte[DISK_BYTES / 4];
    new Random(1).nextBytes(data);
    try (FileChannel file = FileChannel.open(content, CREATE_NEW, WRITE)) {
      file.write(ByteBuffer.wrap(data), 0);
      file.write(ByteBuffer.wrap(data), data.length);
      file.write(ByteBuffer.wrap(data), 32 * DISK_BYTES);
    }
    Original original = Original.of(content);
    TransferHeader header =
        new TransferHeader("image", Files.size(content)).with(original.fields()).asResumable();
    assumeTrue(
        header.dataBytes() == 3L * data.length, "the file system of temporary files has holes");
    try (ReceivingPort port =
        ReceivingPort.open(
            new InetSocketAddress("127.0.0.1", 0),
            Long.MAX_VALUE,
            new FileReceiver(
                new OutputTarget(disk, false, false), PATIENCE, TransferListener.SILENT))) {
      try (SocketChannel killed = Connections.connect(port.address(), PATIENCE)) {
        Channels.writeFully(killed, header.encode());
        Channels.writeFully(
            killed,
            ByteBuffer.allocate(Block.PREFIX_BYTES + 2 * data.length)
                .putInt(2 * data.length)
                .putLong(0)
                .put(data)
                .put(data)
                .flip());
        assertThat(Reply.read(killed)).isInstanceOf(Offer.class);
        assertThat(Reply.read(killed)).isEqualTo(new Receipt(0, 2 * data.length));
      }
      TransferHeader again = // A number of its own, as that of another process.
          new TransferHeader("image", Files.size(content)).with(original.fields()).asResumable();
      try (FileChannel file = FileChannel.open(content);
          FileTransfer transfer =
              new FileTransfer(again, file, original, PATIENCE, TransferListener.SILENT)) {
        while (transfer.canBeJoined()) {
          transfer.carry(
              TcpConnection.of(Connections.connect(port.address(), PATIENCE)), "one", false);
        }
        assertThat(transfer.await().bytes()).isEqualTo(Files.size(content));
      }
      assertThat(disk.resolve("image")).hasSameBinaryContentAs(content);
    }
  }

  /** Its size is not announced, so that it is not refused beforehand. */
  private static void send(ReceivingPort port, String name, int bytes) throws IOException {
    Sent _ =
        new FileSender(
                TcpConnection.of(Connections.connect(port.address(), PATIENCE)),
                PATIENCE,
                TransferListener.SILENT)
            .send(
                new TransferHeader(name, TransferHeader.UNKNOWN_SIZE),
                java.nio.channels.Channels.newChannel(new ByteArrayInputStream(new byte[bytes])),
                Original.NONE);
  }

  private static boolean run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getInputStream().readAllBytes();
    return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
  }
}
