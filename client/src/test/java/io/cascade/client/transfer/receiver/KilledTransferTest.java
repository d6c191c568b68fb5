package io.cascade.client.transfer.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.content.Crc32c;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.wire.HeaderFields;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transfer goes on with what the receiver holds after either end was killed. */
@Tag("slow")
@Timeout(120)
@SuppressWarnings("NullAway.Init")
class KilledTransferTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int SIZE = 40_000_000;
  private static final long SLOW = 400_000_000;

  @TempDir Path folder;

  private Path content;
  private Path into;
  private ReceivingPort port;

  @BeforeEach
  void start() throws IOException {
    into = Files.createDirectory(folder.resolve("into"));
    content = folder.resolve("file.bin");
    Files.write(content, random(SIZE, 1));
    port = port();
  }

  @AfterEach
  void stop() throws IOException {
    port.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 37, 62, 90})
  void afterTheSenderIsKilledTheSameCommandSendsTheRest(int percent) throws Exception {
    killSenderAt(percent);

    Sent sent = send();

    assertArrived(sent);
    assertThat(sent.wireBytes()).isLessThan((100L - percent + 5) * SIZE / 100);
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 45, 88})
  void afterTheReceiverIsKilledTheRunningSenderSendsTheRest(int percent) throws Exception {
    try (SlowWire wire = SlowWire.to(port.address(), SLOW);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(connect(wire.address()));
      await().until(() -> transfer.shares().getFirst().bytes() > (long) SIZE * percent / 100);
      killReceiver();
      long held = heldBytes();
      while (transfer.canBeJoined()) {
        transfer.carry(connect(port.address()), "again", false);
      }

      Sent sent = transfer.await();
      assertArrived(sent);
      assertThat(transfer.share("again").orElseThrow().bytes())
          .isLessThan(SIZE - held + 5L * SIZE / 100);
    }
  }

  @Test
  void afterBothAreKilledOnlyTheRestIsSent() throws Exception {
    killSenderAt(50);
    killReceiver();

    Sent sent = send();

    assertArrived(sent);
    assertThat(sent.wireBytes()).isLessThan(55L * SIZE / 100);
  }

  @Test
  void aTornRecordIsCutOff() throws Exception {
    killSenderAt(50);
    killReceiver();
    try (FileChannel journal = FileChannel.open(journal(), StandardOpenOption.WRITE)) {
      journal.truncate(journal.size() - 7);
    }

    Sent sent = send();

    assertArrived(sent);
    assertThat(sent.wireBytes()).isLessThan(55L * SIZE / 100);
  }

  @Test
  void recordsBehindADamagedOneAreNotBelieved() throws Exception {
    killSenderAt(50);
    killReceiver();
    try (FileChannel journal = FileChannel.open(journal(), StandardOpenOption.WRITE)) {
      journal.write(ByteBuffer.wrap(random(3, 7)), journal.size() / 2);
    }

    Sent sent = send();

    assertArrived(sent);
    assertThat(sent.wireBytes()).isBetween(55L * SIZE / 100, (long) SIZE);
  }

  @Test
  void aJournalOfAnotherFileCountsForNothing() throws Exception {
    killSenderAt(50);
    killReceiver();
    Files.write(content, random(SIZE, 2));

    Sent sent = send();

    assertArrived(sent);
    assertThat(sent.wireBytes()).isGreaterThan(SIZE);
  }

  @Test
  void aPartFileThatWasAlteredIsFoundAndMended() throws Exception {
    killSenderAt(50);
    killReceiver();
    try (FileChannel part = FileChannel.open(part(), StandardOpenOption.WRITE)) {
      part.write(ByteBuffer.wrap(random(10, 3)), 5_000_000);
    }

    Sent sent = send();

    assertArrived(sent);
    assertThat(sent.wireBytes()).isLessThan(70L * SIZE / 100);
  }

  @Test
  void aPartFileThatWasTruncatedIsHeldAsFarAsItGoes() throws Exception {
    killSenderAt(50);
    killReceiver();
    try (FileChannel part = FileChannel.open(part(), StandardOpenOption.WRITE)) {
      part.truncate(10_000_000);
    }

    Sent sent = send();

    assertArrived(sent);
    assertThat(sent.wireBytes()).isBetween(70L * SIZE / 100, 90L * SIZE / 100);
  }

  @Test
  void whatTheReceiverHoldsOtherwiseThanTheFileIsSentAnew() throws Exception {
    killSenderAt(50);
    killReceiver();
    byte[] damaged = random(100_000, 4);
    try (FileChannel part = FileChannel.open(part(), StandardOpenOption.WRITE);
        Journal journal = openJournal()) {
      part.write(ByteBuffer.wrap(damaged), 3_000_000);
      journal.load(part.size());
      journal.append(new Extent(3_000_000, damaged.length, Crc32c.of(ByteBuffer.wrap(damaged))));
    }

    Sent sent = send();

    assertArrived(sent);
    assertThat(sent.wireBytes()).isLessThan(75L * SIZE / 100);
  }

  @Test
  void twoFilesOfOneNameDoNotMix() throws Exception {
    Path other = Files.createDirectory(folder.resolve("other")).resolve("file.bin");
    Files.write(other, random(SIZE, 5));
    try (SlowWire wire = SlowWire.to(port.address(), SLOW);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(connect(wire.address()));
      await().until(() -> transfer.shares().getFirst().bytes() > SIZE / 10);

      Path first = content;
      content = other;
      assertThatThrownBy(this::send).hasMessageContaining("is arriving from another sender");
      content = first;

      assertArrived(transfer.await());
    }
  }

  @Test
  void theSameCommandTakesTheTransferOverFromOneThatStillRuns() throws Exception {
    try (SlowWire wire = SlowWire.to(port.address(), SLOW);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(connect(wire.address()));
      await().until(() -> transfer.shares().getFirst().bytes() > SIZE / 2);

      assertArrived(send());
    }
  }

  @Test
  void whatIsKeptIsForItsOwnerAlone() throws Exception {
    killSenderAt(50);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(journal())))
        .isEqualTo("rw-------");
  }

  /** The file is another one than before: it has another modification time, and may be damaged. */
  @Test
  void aFileThatWasReplacedBetweenTheRunsIsSentWhole() throws Exception {
    killSenderAt(50);
    Path another = Files.write(folder.resolve("another"), random(SIZE, 6));
    Files.setLastModifiedTime(another, Files.getLastModifiedTime(content));
    Files.move(another, content, StandardCopyOption.REPLACE_EXISTING);

    assertArrived(send());
  }

  @Test
  void aSenderThatItsUserEndsLeavesWhatHasArrived() throws Exception {
    try (SlowWire wire = SlowWire.to(port.address(), SLOW);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(connect(wire.address()));
      await().until(() -> transfer.shares().getFirst().bytes() > SIZE / 2);
      transfer.abandon(PATIENCE);
      assertThat(((Outcome.Broken) port.next()).reason())
          .contains(".file.bin.cascade-part is kept")
          .contains("delete it and .file.bin.cascade-journal");
    }

    Sent sent = send();

    assertArrived(sent);
    assertThat(sent.wireBytes()).isLessThan(55L * SIZE / 100);
  }

  private void assertArrived(Sent sent) throws Exception {
    Outcome.Ended outcome = port.next();
    while (outcome instanceof Outcome.Broken) { // Of a connection of the sender that was killed.
      outcome = port.next();
    }
    Received received = ((Outcome.Arrived) outcome).received();
    assertThat(received.file()).isEqualTo(into.resolve("file.bin"));
    assertThat(received.file()).hasSameBinaryContentAs(content);
    assertThat(received.sha256()).isEqualTo(sent.sha256());
    assertThat(into.toFile().list()).containsExactly("file.bin");
  }

  /** As a kill does, ends a sender's connection without a word. */
  private void killSenderAt(int percent) throws Exception {
    try (SlowWire wire = SlowWire.to(port.address(), SLOW);
        FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      transfer.over(connect(wire.address()));
      await().until(() -> transfer.shares().getFirst().bytes() > (long) SIZE * percent / 100);
    }
  }

  /** Begins with the files as a kill leaves them, in a folder that no other receiver has open. */
  private void killReceiver() throws IOException {
    port.close();
    Path left = Files.createDirectory(folder.resolve("after"));
    Files.copy(journal(), left.resolve(".file.bin.cascade-journal"));
    Files.copy(part(), left.resolve(".file.bin.cascade-part"));
    into = left;
    port = port();
  }

  private Path part() {
    return into.resolve(".file.bin.cascade-part");
  }

  private Path journal() {
    return into.resolve(".file.bin.cascade-journal");
  }

  private Journal openJournal() throws IOException {
    return Journal.open(
        journal(),
        Objects.requireNonNull(Original.of(content).fields().origin()),
        SIZE,
        "file.bin");
  }

  private long heldBytes() throws IOException {
    try (Journal journal = openJournal()) {
      return journal.load(Files.size(part())).ranges().bytes();
    }
  }

  private Sent send() throws Exception {
    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer = transfer(file)) {
      while (transfer.canBeJoined()) {
        transfer.carry(connect(port.address()), "one", false);
      }
      return transfer.await();
    }
  }

  /** Little is under way, so that what is sent twice can be told from what was lost on the way. */
  private static TcpConnection connect(HostPort to) throws IOException {
    SocketChannel channel = Connections.connect(to, PATIENCE);
    channel.setOption(StandardSocketOptions.SO_SNDBUF, 64 * 1024);
    return TcpConnection.of(channel);
  }

  private FileTransfer transfer(FileChannel file) throws IOException {
    Original original = Original.of(content);
    TransferHeader header =
        new TransferHeader("file.bin", file.size())
            .with(new HeaderFields(original.fields().origin()))
            .asResumable();
    return new FileTransfer(header, file, original, PATIENCE, TransferListener.SILENT);
  }

  private ReceivingPort port() throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0),
        Long.MAX_VALUE,
        new FileReceiver(new OutputTarget(into, false, false), PATIENCE, TransferListener.SILENT));
  }

  private static byte[] random(int bytes, long seed) {
    byte[] random = new byte[bytes];
    new Random(seed).nextBytes(random);
    return random;
  }
}
