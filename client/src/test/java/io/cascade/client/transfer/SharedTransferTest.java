package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.schedule.BlockLedger;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.FinalReply;
import io.cascade.client.transfer.wire.Offer;
import io.cascade.client.transfer.wire.Reply;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One file over two connections, whatever becomes of either. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class SharedTransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long SLOW = 1_500_000;
  private static final long FAST = 30_000_000;

  @TempDir Path folder;

  private Path content;
  private Path into;
  private ReceivingPort port;

  @BeforeEach
  void start() throws IOException {
    into = Files.createDirectory(folder.resolve("into"));
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachConnectionCarriesWhatItCan(boolean secondIsQuicker) throws Exception {
    write(24_000_000);
    try (SlowWire first = wire(secondIsQuicker ? SLOW : FAST);
        SlowWire second = wire(secondIsQuicker ? FAST : SLOW);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(TcpConnection.of(connect(first.address())));
      transfer.over(TcpConnection.of(connect(second.address())));
      Sent sent = transfer.await();

      assertArrived(sent);
      List<Carried> shares = transfer.shares();
      long quick = shares.get(secondIsQuicker ? 1 : 0).bytes();
      long slow = shares.get(secondIsQuicker ? 0 : 1).bytes();
      assertThat(slow).as("of the slow one").isPositive();
      assertThat(quick).isGreaterThan(slow);
      assertThat(quick + slow).isGreaterThanOrEqualTo(24_000_000);
    }
  }

  @Test
  void whatASlowConnectionHasUnderWayAtTheEndIsSentOverTheOther() throws Exception {
    write(600_000);
    try (SlowWire slow = wire(1_000);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(TcpConnection.of(connect(slow.address())));
      transfer.over(TcpConnection.of(connect(port.address())));

      assertArrived(transfer.await());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goesOnOverTheOtherWhenOneBreaks(boolean first) throws Exception {
    write(5_000_000);
    try (SlowWire breaking = SlowWire.open(port.address(), FAST, 700_000);
        SlowWire steady = wire(FAST);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(TcpConnection.of(connect((first ? breaking : steady).address())));
      transfer.over(TcpConnection.of(connect((first ? steady : breaking).address())));

      assertArrived(transfer.await());
    }
  }

  @Test
  void failsWhenBothBreakAndLeavesNoFile() throws Exception {
    write(5_000_000);
    try (SlowWire one = SlowWire.open(port.address(), FAST, 700_000);
        SlowWire other = SlowWire.open(port.address(), FAST, 900_000);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(TcpConnection.of(connect(one.address())));
      transfer.over(TcpConnection.of(connect(other.address())));

      assertThatThrownBy(transfer::await)
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("the connection broke");
      assertThat(port.next()).isInstanceOf(Outcome.Broken.class);
      assertThat(into).isEmptyDirectory();
    }
  }

  @Test
  void aConnectionThatComesLateIsNoTransferOfItsOwn() throws Exception {
    write(1_000);
    TransferHeader header = new TransferHeader("file.bin", 1_000);
    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer =
            new FileTransfer(header, file, Original.NONE, PATIENCE, TransferListener.SILENT)) {
      transfer.over(TcpConnection.of(connect(port.address())));
      assertArrived(transfer.await());
      assertThat(transfer.over(TcpConnection.of(connect(port.address())))).isFalse();
    }
    try (Socket late = new Socket("127.0.0.1", port.address().port())) {
      late.getOutputStream().write(header.encode().array());
      assertThat(late.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(port.ignored()).as("the one that said nothing").isLessThanOrEqualTo(1);
    assertThat(into).isDirectoryNotContaining(path -> path.toString().endsWith(".cascade-part"));
  }

  @Test
  void twoFilesDoNotMixUnderOneNumber() throws Exception {
    TransferHeader header = new TransferHeader("file.bin", 100);
    try (Socket one = new Socket("127.0.0.1", port.address().port());
        SocketChannel other = connect(port.address())) {
      one.getOutputStream().write(header.encode().array());
      one.getOutputStream().write(new byte[] {0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 42});
      one.getInputStream().readNBytes(16); // Its receipt: the transfer is known now.
      Channels.writeFully(
          other,
          new TransferHeader("other.bin", 100, header.transfer(), TransferHeader.Purpose.FILE)
              .encode());
      FinalReply answer = (FinalReply) Reply.read(other);
      assertThat(answer.reason()).contains("for another file, file.bin");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void arrivesWholeHoweverConnectionsComeAndGo(long seed) throws Exception {
    Random random = new Random(seed);
    write(random.nextInt(2_000_000));
    List<SlowWire> wires = new ArrayList<>();
    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(TcpConnection.of(connect(port.address())));
      for (int i = 0; i < 4; i++) {
        SlowWire wire =
            SlowWire.open(
                port.address(), 50_000L << random.nextInt(10), 1 + random.nextInt(1_000_000));
        wires.add(wire);
        transfer.over(TcpConnection.of(connect(wire.address())));
      }
      assertArrived(transfer.await());
    } finally {
      for (SlowWire wire : wires) {
        wire.close();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPipeIsSharedAsWellThoughItCanBeReadOnce(boolean secondIsQuicker) throws Exception {
    write(24_000_000);
    try (SlowWire first = wire(secondIsQuicker ? SLOW : FAST);
        SlowWire second = wire(secondIsQuicker ? FAST : SLOW);
        FileTransfer transfer = pipe()) {
      transfer.over(TcpConnection.of(connect(first.address())));
      transfer.over(TcpConnection.of(connect(second.address())));

      assertArrived(transfer.await());
      List<Carried> shares = transfer.shares();
      assertThat(shares.get(secondIsQuicker ? 1 : 0).bytes())
          .isGreaterThan(shares.get(secondIsQuicker ? 0 : 1).bytes());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatABrokenConnectionHadOfAPipeGoesOverTheOther(boolean first) throws Exception {
    write(12_000_000);
    try (SlowWire breaking = SlowWire.open(port.address(), FAST, 700_000);
        SlowWire steady = wire(FAST);
        FileTransfer transfer = pipe()) {
      transfer.over(TcpConnection.of(connect((first ? breaking : steady).address())));
      transfer.over(TcpConnection.of(connect((first ? steady : breaking).address())));

      assertArrived(transfer.await());
    }
  }

  /** It keeps so much that nothing more may be read, until another connection brings it. */
  @Test
  void aConnectionThatStandsStillHoldsAPipeUpNoLongerThanTheOtherTakesToCopy() throws Exception {
    write(20_000_000);
    try (SlowWire still = wire(1_000);
        FileTransfer transfer = pipe()) {
      transfer.over(TcpConnection.of(connect(still.address())));
      transfer.over(TcpConnection.of(connect(port.address())));

      assertArrived(transfer.await());
    }
  }

  @Test
  void connectionsThatAreSilentWithinABlockHoldNoOtherUp() throws Exception {
    write(5 * Block.MAX_BYTES);
    TransferHeader header = new TransferHeader("file.bin", 5 * Block.MAX_BYTES).asResumable();
    ByteBuffer begun = ByteBuffer.allocate(Block.PREFIX_BYTES + 1).putInt(Block.MAX_BYTES).clear();
    List<SocketChannel> silent = new ArrayList<>();
    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer =
            new FileTransfer(header, file, Original.NONE, PATIENCE, TransferListener.SILENT)) {
      for (int i = 0; i < 8; i++) {
        SocketChannel one = connect(port.address());
        silent.add(one);
        Channels.writeFully(one, header.encode());
        assertThat(Reply.read(one)).isInstanceOf(Offer.class);
        Channels.writeFully(one, begun.duplicate());
      }
      transfer.over(TcpConnection.of(connect(port.address())));

      assertArrived(transfer.await());
    } finally {
      for (SocketChannel one : silent) {
        one.close();
      }
    }
  }

  @Test
  void whatIsKeptOfAPipeIsBounded() {
    KeptBlocks kept = KeptBlocks.ofStream();
    int blocks = 0;
    for (long at = 0; kept.hasRoom(Block.MAX_BYTES); at += Block.MAX_BYTES) {
      kept.keep(new BlockLedger.Range(at, Block.MAX_BYTES), ByteBuffer.allocate(Block.MAX_BYTES));
      blocks++;
    }
    assertThat(kept.bytes()).isLessThanOrEqualTo(KeptBlocks.MOST_BYTES);
    assertThat(blocks).isPositive();

    BlockLedger.Range first = new BlockLedger.Range(0, Block.MAX_BYTES);
    ByteBuffer again = ByteBuffer.allocate(Block.MAX_BYTES);
    kept.read(first, again);
    assertThat(again.hasRemaining()).isFalse();
    kept.arrived(first);
    kept.arrived(first);
    assertThat(kept.hasRoom(Block.MAX_BYTES)).isTrue();
  }

  private FileTransfer pipe() throws IOException {
    return FileTransfer.ofStream(
        new TransferHeader("file.bin", TransferHeader.UNKNOWN_SIZE),
        java.nio.channels.Channels.newChannel(Files.newInputStream(content)),
        PATIENCE,
        TransferListener.SILENT);
  }

  private void write(int bytes) throws IOException {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    content = Files.write(folder.resolve("content"), random);
  }

  private SlowWire wire(long bytesPerSecond) throws IOException {
    return SlowWire.to(port.address(), bytesPerSecond);
  }

  private FileTransfer transfer(FileChannel file) throws IOException {
    return new FileTransfer(
        new TransferHeader("file.bin", file.size()),
        file,
        Original.NONE,
        PATIENCE,
        TransferListener.SILENT);
  }

  private static SocketChannel connect(HostPort to) throws IOException {
    return Connections.connect(to, PATIENCE);
  }

  private void assertArrived(Sent sent) throws Exception {
    Outcome.Ended outcome = port.next();
    assertThat(outcome).isInstanceOf(Outcome.Arrived.class);
    Received received = ((Outcome.Arrived) outcome).received();
    assertThat(received.file()).hasSameBinaryContentAs(content);
    assertThat(received.sha256()).isEqualTo(sent.sha256());
  }
}
