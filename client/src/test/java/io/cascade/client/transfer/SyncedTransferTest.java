package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.HeaderFields;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A receiver that has everything on the disk before it says so. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class SyncedTransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SIZE = 8_000_000;

  @TempDir private Path folder;

  private Path into;
  private Path content;

  @BeforeEach
  void makeFile() throws IOException {
    into = Files.createDirectory(folder.resolve("into"));
    byte[] bytes = new byte[SIZE];
    new Random(1).nextBytes(bytes);
    content = Files.write(folder.resolve("file"), bytes);
  }

  @Test
  void aFileArrivesAndReplacesTheOneBefore() throws Exception {
    Files.writeString(into.resolve("file"), "before");
    try (ReceivingPort port = port(true)) {
      assertThat(send(port).bytes()).isEqualTo(SIZE);

      assertArrived(port);
    }
  }

  @Test
  void aTransferGoesOnAfterABreak() throws Exception {
    try (ReceivingPort port = port(false)) {
      try (SlowWire wire = SlowWire.to(port.address(), SIZE);
          FileChannel channel = FileChannel.open(content);
          FileTransfer transfer = transfer(channel)) {
        transfer.over(TcpConnection.of(Connections.connect(wire.address(), PATIENCE)));
        await().until(() -> transfer.shares().getFirst().bytes() > SIZE / 2);
      }

      assertThat(send(port).wireBytes()).isLessThan(SIZE);

      assertArrived(port);
    }
  }

  private void assertArrived(ReceivingPort port) throws Exception {
    Outcome.Ended outcome = port.next();
    while (outcome instanceof Outcome.Broken) { // Of the sender that was ended.
      outcome = port.next();
    }
    assertThat(into.resolve("file")).hasSameBinaryContentAs(content);
    assertThat(into.toFile().list()).containsExactly("file");
  }

  private Sent send(ReceivingPort port) throws Exception {
    try (FileChannel channel = FileChannel.open(content);
        FileTransfer transfer = transfer(channel)) {
      while (transfer.canBeJoined()) {
        transfer.carry(
            TcpConnection.of(Connections.connect(port.address(), PATIENCE)), "one", false);
      }
      return transfer.await();
    }
  }

  private FileTransfer transfer(FileChannel channel) throws IOException {
    Original original = Original.of(content);
    TransferHeader header =
        new TransferHeader("file", SIZE).with(new HeaderFields(original.origin())).asResumable();
    return new FileTransfer(header, channel, original, PATIENCE, TransferListener.SILENT);
  }

  private ReceivingPort port(boolean overwrite) throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0),
        Long.MAX_VALUE,
        new FileReceiver(
            new OutputTarget(into, overwrite, true), PATIENCE, TransferListener.SILENT));
  }
}
