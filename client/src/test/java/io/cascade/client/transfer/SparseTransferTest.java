package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.content.Holes;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.Offer;
import io.cascade.client.transfer.wire.Receipt;
import io.cascade.client.transfer.wire.Reply;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.kernel.SparseFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holes of a file are not sent, and are holes where it arrives. */
@Timeout(120)
@SuppressWarnings("NullAway.Init")
class SparseTransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long SIZE = 80L << 20;
  private static final int DATA = 1 << 20;

  @TempDir Path folder;

  private Path content;
  private Path into;
  private ReceivingPort port;

  @BeforeEach
  void start() throws IOException {
    into = Files.createDirectory(folder.resolve("into"));
    content = folder.resolve("image");
    port =
        ReceivingPort.open(
            new InetSocketAddress("127.0.0.1", 0),
            Long.MAX_VALUE,
            new FileReceiver(
                new OutputTarget(into, false, false), PATIENCE, TransferListener.SILENT));
  }

  @AfterEach
  void stop() throws IOException {
    port.close();
  }

  @Test
  void dataBetweenHolesArrivesAndHolesStayHoles() throws Exception {
    sparse(40L << 20);

    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.carry(TcpConnection.of(connect()), "one", false);
      Sent sent = transfer.await();

      assertArrivedSparse(sent);
      assertThat(sent.bytes()).isEqualTo(SIZE);
      assertThat(sent.wireBytes()).isBetween((long) DATA, DATA + 10_000L);
      // Rates are of what was carried.
      assertThat(transfer.share("one").orElseThrow().bytes()).isEqualTo(DATA);
    }
  }

  @Test
  void connectionsShareAFileOfHolesAlone() throws Exception {
    try (FileChannel file = create()) {
      file.write(ByteBuffer.allocate(1), 0);
    }
    try (SparseFile image = SparseFile.toWrite(content)) {
      image.clear(0, SIZE);
    }
    assumeThat(Holes.of(content, SIZE)).isNotNull();

    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(TcpConnection.of(connect()));
      transfer.over(TcpConnection.of(connect()));

      assertArrivedSparse(transfer.await());
    }
  }

  @Test
  void holesThatWereThereBeforeAreNotSentAgain() throws Exception {
    sparse(70L << 20);
    TransferHeader header = header();
    try (SocketChannel killed = connect()) {
      Channels.writeFully(killed, header.encode());
      Channels.writeFully(killed, hole(0, 64 << 20));
      assertThat(Reply.read(killed)).isInstanceOf(Offer.class);
      assertThat(Reply.read(killed)).isEqualTo(new Receipt(0, 64 << 20));
    }

    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      while (transfer.canBeJoined()) {
        transfer.carry(TcpConnection.of(connect()), "one", false);
      }
      assertArrivedSparse(transfer.await());
    }
  }

  @Test
  void aHoleReplacesDataThatWasThere() throws Exception {
    TransferHeader header = new TransferHeader("image", 3_000_000);
    ByteBuffer data = ByteBuffer.allocate(Block.PREFIX_BYTES + 1_000_000);
    new Random(1).nextBytes(data.array());
    data.putInt(0, 1_000_000).putLong(4, 0);
    try (SocketChannel sender = connect()) {
      Channels.writeFully(sender, header.encode());
      Channels.writeFully(sender, data);
      Channels.writeFully(sender, hole(0, 3_000_000));
      Channels.writeFully(
          sender,
          ByteBuffer.allocate(Block.TRAILER_BYTES)
              .putInt(0)
              .putLong(3_000_000)
              .put(Sha256.of(new byte[3_000_000]).bytes())
              .flip());

      Received received = ((Outcome.Arrived) port.next()).received();

      assertThat(Files.readAllBytes(received.file())).isEqualTo(new byte[3_000_000]);
    }
  }

  @Test
  void zerosThatAreNoHoleArriveAsTheyAre() throws Exception {
    Files.write(content, new byte[DATA]);

    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(TcpConnection.of(connect()));
      Sent sent = transfer.await();

      assertThat(sent.wireBytes()).isGreaterThan(DATA);
      Received received = ((Outcome.Arrived) port.next()).received();
      assertThat(Holes.of(received.file(), DATA)).isNull();
    }
  }

  @Test
  void aHoleThatNoSenderSendsIsRefused() throws Exception {
    assertRefused(new TransferHeader("image", 10), hole(5, 6), "more bytes than the 10");
    assertRefused(
        new TransferHeader("image", TransferHeader.UNKNOWN_SIZE), hole(0, -1), "a hole of");
    assertRefused(
        new TransferHeader("entries", TransferHeader.UNKNOWN_SIZE).asEntries(),
        hole(0, 512),
        "a hole at offset 0");
  }

  private void assertRefused(TransferHeader header, ByteBuffer hole, String why) throws Exception {
    try (SocketChannel sender = connect()) {
      Channels.writeFully(sender, header.encode());
      Channels.writeFully(sender, hole);
      sender.shutdownOutput();
      assertThat(((Outcome.Broken) port.next()).reason()).contains(why);
    }
  }

  private void assertArrivedSparse(Sent sent) throws Exception {
    Outcome outcome = port.next();
    while (outcome instanceof Outcome.Broken) {
      outcome = port.next(); // Of a connection of the sender that was killed.
    }
    Received received = ((Outcome.Arrived) outcome).received();
    assertThat(received.sha256()).isEqualTo(sent.sha256());
    assertThat(Files.mismatch(received.file(), content)).isEqualTo(-1);
    try (Holes holes = Objects.requireNonNull(Holes.of(received.file(), SIZE))) {
      assertThat(holes.dataBytes()).isLessThanOrEqualTo(DATA + 2L * Holes.LEAST_BYTES);
    }
  }

  private static ByteBuffer hole(long offset, int length) {
    return ByteBuffer.allocate(Block.HOLE_BYTES)
        .putInt(Block.HOLE)
        .putLong(offset)
        .putInt(length)
        .flip();
  }

  /** A file of holes with some data within. */
  private void sparse(long dataOffset) throws IOException {
    byte[] random = new byte[DATA];
    new Random(1).nextBytes(random);
    try (FileChannel file = create()) {
      file.write(ByteBuffer.wrap(random), dataOffset);
    }
    try (SparseFile image = SparseFile.toWrite(content)) {
      image.clear(dataOffset + DATA, SIZE - dataOffset - DATA);
    }
    assumeThat(Holes.of(content, SIZE)).isNotNull();
  }

  private FileChannel create() throws IOException {
    return FileChannel.open(content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  private TransferHeader header() throws IOException {
    return new TransferHeader("image", Files.size(content))
        .with(Original.of(content).fields())
        .asResumable();
  }

  private FileTransfer transfer(FileChannel file) throws IOException {
    return new FileTransfer(
        header(), file, Original.of(content), PATIENCE, TransferListener.SILENT);
  }

  private SocketChannel connect() throws IOException {
    HostPort to = port.address();
    return Connections.connect(to, PATIENCE);
  }
}
