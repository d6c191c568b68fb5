package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.FinalReply;
import io.cascade.client.transfer.wire.Offer;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.Reply;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A transfer whose sender connects again outlives its last connection. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class ResumedTransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;

  private Path content;
  private Path into;
  private ReceivingPort port;

  @BeforeEach
  void start() throws IOException {
    into = Files.createDirectory(folder.resolve("into"));
    port = port(Long.MAX_VALUE, PATIENCE);
  }

  @AfterEach
  void stop() throws IOException {
    port.close();
  }

  @Test
  void goesOnOverTheNextConnectionWithWhatHasArrived() throws Exception {
    write(5_000_000);
    try (SlowWire breaking = SlowWire.open(port.address(), 30_000_000, 700_000);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      int connections = 0;
      while (transfer.canBeJoined()) {
        transfer.carry(TcpConnection.of(connect(breaking.address())), "one", false);
        connections++;
      }

      Sent sent = transfer.await();
      Received received = ((Outcome.Arrived) port.next()).received();
      assertThat(received.file()).hasSameBinaryContentAs(content);
      assertThat(received.sha256()).isEqualTo(sent.sha256());
      assertThat(connections).isBetween(8, 40);
      // What arrived before a break and was not confirmed is offered over the next connection.
      assertThat(transfer.share("one").orElseThrow().bytes()).isGreaterThan(4_000_000);
    }
  }

  @Test
  void aSenderThatMissedTheAnswerHearsItOverTheNextConnection() throws Exception {
    byte[] bytes = {1, 2, 3};
    TransferHeader header = new TransferHeader("file.bin", 3).asResumable();
    ByteBuffer whole =
        ByteBuffer.allocate(Block.PREFIX_BYTES + 3 + Block.TRAILER_BYTES)
            .putInt(3)
            .putLong(0)
            .put(bytes)
            .putInt(0)
            .putLong(3)
            .put(MessageDigest.getInstance("SHA-256").digest(bytes))
            .flip();
    try (SocketChannel deaf = connect(port.address())) {
      Channels.writeFully(deaf, header.encode());
      Channels.writeFully(deaf, whole.duplicate());
      assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    }
    try (SocketChannel again = connect(port.address())) {
      Channels.writeFully(again, header.encode());
      Channels.writeFully(again, whole);
      FinalReply answer = (FinalReply) Reply.read(again);
      assertThat(answer.accepted()).isTrue();
      assertThat(answer.bytes()).isEqualTo(3);
    }
  }

  @Test
  void aTransferWithoutAConnectionGivesWayToTheNextOneOfItsFile() throws Exception {
    try (ReceivingPort one = port(1, PATIENCE)) {
      begin(one, 1_000_000);
      await().until(() -> Files.exists(into.resolve(".file.bin.cascade-part")));
      write(300_000);
      TransferHeader header = new TransferHeader("file.bin", 300_000);
      // The first connection's break may be noticed a little later.
      await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> {
            try (FileChannel file = FileChannel.open(content);
                FileTransfer transfer =
                    new FileTransfer(
                        header, file, Original.NONE, PATIENCE, TransferListener.SILENT)) {
              transfer.over(TcpConnection.of(connect(one.address())));
              return transfer.await().bytes() == 300_000;
            }
          });
      assertThat(((Outcome.Arrived) one.next()).received().file()).hasSameBinaryContentAs(content);
    }
  }

  @Test
  void failsAtTheReceiverWhenTheSenderDoesNotComeBack() throws Exception {
    try (ReceivingPort hasty = port(1, Duration.ofMillis(300))) {
      begin(hasty, 1_000_000);
      assertThat(((Outcome.Broken) hasty.next()).reason())
          .contains("after 1 of 1000000 bytes")
          .endsWith("nothing was kept");
      assertThat(into).isEmptyDirectory();
    }
  }

  @Test
  void aSenderThatItsUserEndsTellsTheReceiver() throws Exception {
    write(40_000_000);
    try (SlowWire slow = SlowWire.to(port.address(), 1_000_000);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(TcpConnection.of(connect(slow.address())));
      await().until(() -> transfer.shares().getFirst().bytes() > 0);
      transfer.abandon(PATIENCE);

      assertThatThrownBy(transfer::await).hasMessageContaining("given up by this end");
      assertThat(((Outcome.Broken) port.next()).reason())
          .contains("the sender gave up: given up by the user");
      assertThat(into).isEmptyDirectory();
    }
  }

  /** Begins a transfer whose connection breaks after one byte of the file. */
  private static void begin(ReceivingPort at, long size) throws IOException {
    TransferHeader header = new TransferHeader("file.bin", size).asResumable();
    try (SocketChannel first = connect(at.address())) {
      Channels.writeFully(first, header.encode());
      ByteBuffer block = ByteBuffer.allocate(Block.PREFIX_BYTES + 1).putInt(1).putLong(0);
      Channels.writeFully(first, block.put((byte) 42).flip());
      assertThat(Reply.read(first)).isInstanceOf(Offer.class);
      assertThat(Reply.read(first)).isInstanceOf(Receipt.class);
    }
  }

  private ReceivingPort port(long places, Duration patience) throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0),
        places,
        new FileReceiver(new OutputTarget(into, false, false), patience, TransferListener.SILENT));
  }

  private void write(int bytes) throws IOException {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    content = Files.write(folder.resolve("content"), random);
  }

  private static FileTransfer transfer(FileChannel file) throws IOException {
    TransferHeader header = new TransferHeader("file.bin", file.size()).asResumable();
    return new FileTransfer(header, file, Original.NONE, PATIENCE, TransferListener.SILENT);
  }

  private static SocketChannel connect(HostPort to) throws IOException {
    return Connections.connect(to, PATIENCE);
  }
}
