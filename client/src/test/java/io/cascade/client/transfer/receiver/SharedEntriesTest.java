package io.cascade.client.transfer.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.client.entries.EntryListener;
import io.cascade.client.entries.EntryWalk;
import io.cascade.client.entries.Exclusions;
import io.cascade.client.entries.FolderStream;
import io.cascade.client.entries.Trees;
import io.cascade.client.transfer.FileSender;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.FinalReply;
import io.cascade.client.transfer.wire.Reply;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stream of entries over connections that come, go and are slow, into a disk that may be. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class SharedEntriesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long FAST = 30_000_000;

  @TempDir Path folder;

  private Path source;
  private Path into;
  private ReceivingPort port;

  @BeforeEach
  void start() throws IOException {
    source = Files.createDirectory(folder.resolve("source"));
    into = Files.createDirectory(folder.resolve("into"));
    port = receiver(new OutputTarget(into, false, false));
  }

  private static ReceivingPort receiver(OutputTarget target) throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0),
        Long.MAX_VALUE,
        new FileReceiver(target, PATIENCE, TransferListener.SILENT));
  }

  @AfterEach
  void stop() throws IOException {
    port.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {500_000, 3_000_000, FAST})
  void twoConnectionsBringItsBlocksInAnyOrder(long secondBytesPerSecond) throws Exception {
    Trees.fill(source, new Random(3), 3);
    write("large", 40_000_000);
    write("other", 3_000_000);
    try (SlowWire first = SlowWire.to(port.address(), FAST);
        SlowWire second = SlowWire.to(port.address(), secondBytesPerSecond);
        FileTransfer transfer = transfer(stream())) {
      transfer.over(connection(first));
      transfer.over(connection(second));

      assertArrived(transfer.await());
      assertThat(transfer.shares()).allMatch(share -> share.bytes() > 0);
    }
  }

  /** The receiver waits for a block in the order, which is sent again over the other connection. */
  @Test
  void aConnectionThatStandsStillHoldsNothingUp() throws Exception {
    write("large", 120_000_000);
    try (SlowWire still = SlowWire.to(port.address(), 1_000);
        FileTransfer transfer = transfer(stream())) {
      transfer.over(connection(still));
      transfer.over(TcpConnection.of(Connections.connect(port.address(), PATIENCE)));

      assertArrived(transfer.await());
    }
  }

  @Test
  void aSenderThatIsKilledLeavesWholeFilesAlone() throws Exception {
    for (int i = 10; i < 40; i++) {
      write("file" + i, 1_000_000);
    }
    try (SlowWire breaking = SlowWire.open(port.address(), FAST, 12_500_000);
        FileTransfer transfer = transfer(stream())) {
      transfer.over(connection(breaking));
      assertThatThrownBy(transfer::await).hasMessageContaining("not delivered");
    }

    Outcome.Broken broken = (Outcome.Broken) port.next();

    assertThat(broken.reason()).contains("source: ").contains("files, 1 folders and 0 links are");
    assertThat(into).isDirectoryNotContaining("glob:**/.*");
    try (Stream<Path> files = Files.list(into.resolve("source"))) {
      assertThat(files)
          .isNotEmpty()
          .allSatisfy(
              file -> assertThat(file).hasSameBinaryContentAs(source.resolve(file.getFileName())));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 60, 90})
  void whatHasArrivedIsNotSentAgain(int percent) throws Exception {
    Trees.fill(source, new Random(7), 3);
    for (int i = 0; i < 200; i++) {
      write("file" + i, 20_000 + i);
    }
    write("large", 16_000_000);
    long all = drain(new FolderStream(walk(), EntryListener.SILENT)).length;
    try (SlowWire breaking = SlowWire.open(port.address(), FAST, all * percent / 100);
        FileTransfer transfer = transfer(stream())) {
      transfer.over(connection(breaking));
      assertThatThrownBy(transfer::await).hasMessageContaining("the connection broke");
    }
    long arrived = Objects.requireNonNull(((Outcome.Broken) port.next()).attempt()).bytes();

    try (FileTransfer transfer = transfer(stream())) {
      transfer.over(TcpConnection.of(Connections.connect(port.address(), PATIENCE)));
      Sent sent = transfer.await();

      assertArrived(sent);
      assertThat(sent.bytes()).isLessThan(all - arrived + arrived / 20 + 2 * Block.MAX_BYTES);
    }
  }

  @Test
  void overTheOnlyConnectionWhatStandsIsNotSentEither() throws Exception {
    for (int i = 0; i < 100; i++) {
      write("file" + i, 50_000 + i);
    }
    for (long most : List.of(Long.MAX_VALUE, 100_000L)) {
      FileSender sender =
          new FileSender(
              TcpConnection.of(Connections.connect(port.address(), PATIENCE)),
              PATIENCE,
              TransferListener.SILENT);
      try (FolderStream stream = stream()) {
        Sent sent = sender.send(header(), stream, Original.NONE);

        assertArrived(sent);
        assertThat(sent.bytes()).isLessThan(most);
      }
    }
  }

  /** The answers of the receiver may go with a connection: the other one does not wait for them. */
  @Test
  void aConnectionThatBreaksWhileTheReceiverAnswersHoldsNothingUp() throws Exception {
    for (int i = 0; i < 3_000; i++) {
      write("file" + i, 2_000 + i);
    }
    try (FileTransfer transfer = transfer(stream())) {
      transfer.over(TcpConnection.of(Connections.connect(port.address(), PATIENCE)));
      assertArrived(transfer.await());
    }
    try (SlowWire breaking = SlowWire.open(port.address(), FAST, 60_000);
        FileTransfer transfer = transfer(stream())) {
      transfer.over(connection(breaking));
      transfer.over(TcpConnection.of(Connections.connect(port.address(), PATIENCE)));
      assertArrived(transfer.await());
    }
  }

  @Test
  void aSenderOfEntriesBeforeTheReceiverAnsweredIsToldToUseTheSameVersion() throws Exception {
    byte[] old = header().encode().array();
    old[TransferHeader.VERSION_BYTES - 1] = 5;
    try (Socket sender = new Socket("127.0.0.1", port.address().port())) {
      sender.getOutputStream().write(old);

      FinalReply answer =
          (FinalReply) Reply.read(java.nio.channels.Channels.newChannel(sender.getInputStream()));

      assertThat(answer.reason()).contains("use the same version of Cascade at both ends");
    }
  }

  /** The receiver has not noticed yet that its sender was killed. */
  @Test
  void theSameSendTakesOverWhatAnEarlierOneLeft() throws Exception {
    write("file", 20_000_000);
    try (SlowWire still = SlowWire.to(port.address(), 2_000_000);
        FileTransfer left = transfer(stream())) {
      left.over(connection(still));
      Path part = into.resolve("source/.file.cascade-entry");
      await().until(() -> Files.exists(part) && Files.size(part) > 4_000_000);

      try (FileTransfer transfer = transfer(stream())) {
        transfer.over(TcpConnection.of(Connections.connect(port.address(), PATIENCE)));
        Sent sent = transfer.await();

        assertThat(sent.bytes()).isLessThan(17_000_000);
      }
    }
    assertThat(Trees.look(into.resolve("source"))).isEqualTo(Trees.look(source));
  }

  @Test
  void aReceiverThatWasLeftTakesTheNextFolder() throws Exception {
    write("file", 5_000_000);
    try (SlowWire breaking = SlowWire.open(port.address(), FAST, 1_000_000);
        FileTransfer transfer = transfer(stream())) {
      transfer.over(connection(breaking));
      assertThatThrownBy(transfer::await).hasMessageContaining("not delivered");
    }
    assertThat(port.next()).isInstanceOf(Outcome.Broken.class);

    try (FileTransfer transfer = transfer(stream())) {
      transfer.over(TcpConnection.of(Connections.connect(port.address(), PATIENCE)));
      assertArrived(transfer.await());
    }
  }

  /** A listener that does not return is a disk that does not write. */
  @Test
  void aSlowDiskMakesTheSenderWait() throws Exception {
    write("large", 150_000_000);
    CountDownLatch writes = new CountDownLatch(1);
    EntryListener disk = (path, size) -> awaitLatch(writes);
    AtomicLong arrived = new AtomicLong();
    AtomicLong read = new AtomicLong();
    FolderStream stream = new FolderStream(walk(), EntryListener.SILENT);
    ReadableByteChannel counted =
        new ReadableByteChannel() {
          @Override
          public int read(ByteBuffer bytes) throws IOException {
            int some = stream.read(bytes);
            read.addAndGet(Math.max(0, some));
            return some;
          }

          @Override
          public boolean isOpen() {
            return true;
          }

          @Override
          public void close() {}
        };
    TransferListener listener =
        new TransferListener() {
          @Override
          public void moved(long bytes) {
            arrived.set(bytes);
          }
        };
    try (ReceivingPort slow = receiver(new OutputTarget(into, false, false, disk));
        FileTransfer transfer = FileTransfer.ofStream(header(), counted, PATIENCE, listener)) {
      transfer.over(TcpConnection.of(Connections.connect(slow.address(), PATIENCE)));
      transfer.over(TcpConnection.of(Connections.connect(slow.address(), PATIENCE)));
      // The window fills up to where no further block fits.
      while (arrived.get() + Block.MAX_BYTES < ArrivingEntries.WINDOW_BYTES) {
        Thread.onSpinWait();
      }
      assertThat(arrived.get()).isLessThanOrEqualTo(ArrivingEntries.WINDOW_BYTES);
      assertThat(read.get())
          .isLessThanOrEqualTo(
              ArrivingEntries.WINDOW_BYTES + Block.MOST_ENTRIES_AHEAD + 2L * Block.MAX_BYTES);

      writes.countDown();
      transfer.await();
      assertThat(slow.next()).isInstanceOf(Outcome.Arrived.class);
      assertThat(Trees.look(into.resolve("source"))).isEqualTo(Trees.look(source));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 100_000_000})
  void aDiskThatFailsIsToldToTheSender(int bytes) throws Exception {
    write("file", bytes);
    EntryListener disk =
        (path, size) -> {
          if (path.endsWith("file")) {
            throw new IllegalStateException("no disk");
          }
        };
    try (ReceivingPort failing = receiver(new OutputTarget(into, false, false, disk))) {
      try (FileTransfer transfer = transfer(stream())) {
        transfer.over(TcpConnection.of(Connections.connect(failing.address(), PATIENCE)));
        assertThatThrownBy(transfer::await)
            .hasMessageContaining("the receiver refused")
            .hasMessageContaining("no disk");
      }
      assertThat(((Outcome.Broken) failing.next()).reason()).contains("no disk");
    }
  }

  @Test
  void aWriterThatIsClosedIsNotWaitedFor() throws Exception {
    write("file", 1_000_000);
    CountDownLatch writes = new CountDownLatch(1);
    ArrivingEntries entries =
        ArrivingEntries.open(
            new OutputTarget(into, false, false, (path, size) -> awaitLatch(writes)));
    entries.write(ByteBuffer.wrap(drain(new FolderStream(walk(), EntryListener.SILENT))), 0);
    entries.close();

    assertThat(entries.awaitWritten(PATIENCE)).isTrue();
    assertThat(entries.awaitRoom(2_000_000, PATIENCE)).isTrue();
    writes.countDown();
  }

  @Test
  void aBlockFurtherAheadThanTheWindowIsRefused() throws Exception {
    try (Socket sender = new Socket("127.0.0.1", port.address().port())) {
      sender.getOutputStream().write(header().encode().array());
      sender
          .getOutputStream()
          .write(
              ByteBuffer.allocate(Block.PREFIX_BYTES)
                  .putInt(1)
                  .putLong(ArrivingEntries.WINDOW_BYTES)
                  .array());

      FinalReply answer =
          (FinalReply) Reply.read(java.nio.channels.Channels.newChannel(sender.getInputStream()));

      assertThat(answer.reason()).contains("damaged on the way: a block up to byte");
    }
  }

  @Test
  void aWindowTakesBlocksInAnyOrderAndMovesOnAsTheyAreExtractedAndDigested() throws Exception {
    Trees.fill(source, new Random(11), 4);
    write("large", 20_000_000);
    byte[] stream = drain(new FolderStream(walk(), EntryListener.SILENT));
    List<Integer> offsets = new ArrayList<>();
    int block = 65_000;
    for (int at = 0; at < stream.length; at += block) {
      offsets.add(at);
    }
    Collections.shuffle(offsets, new Random(5));
    try (ArrivingEntries entries = ArrivingEntries.open(new OutputTarget(into, false, false))) {
      for (int at : offsets) {
        entries.write(ByteBuffer.wrap(stream, at, Math.min(block, stream.length - at)), at);
      }
      while (!entries.awaitWritten(PATIENCE)) {
        Thread.onSpinWait();
      }
      ByteBuffer digested = ByteBuffer.allocate(stream.length);
      entries.read(digested, 0);

      assertThat(digested.array()).isEqualTo(stream);
      assertThat(entries.commit()).isEqualTo(into);
    }
    assertThat(Trees.look(into.resolve("source"))).isEqualTo(Trees.look(source));
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] drain(FolderStream stream) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(30_000_000);
    while (stream.read(all) >= 0) {
      if (!all.hasRemaining()) {
        throw new InterruptedIOException("more than expected");
      }
    }
    byte[] bytes = new byte[all.position()];
    all.flip().get(bytes);
    stream.close();
    return bytes;
  }

  private FolderStream stream() throws IOException {
    return new FolderStream(walk(), walk(), EntryListener.SILENT);
  }

  private EntryWalk walk() throws IOException {
    return new EntryWalk(List.of(source), Exclusions.NONE);
  }

  private TransferHeader header() {
    return new TransferHeader("source", TransferHeader.UNKNOWN_SIZE)
        .asEntries()
        .with(Original.ofEntries(List.of(source)));
  }

  private FileTransfer transfer(FolderStream stream) throws IOException {
    return FileTransfer.ofStream(header(), stream, PATIENCE, TransferListener.SILENT);
  }

  private static TcpConnection connection(SlowWire wire) throws IOException {
    return TcpConnection.of(Connections.connect(wire.address(), PATIENCE));
  }

  private void write(String name, int bytes) throws IOException {
    byte[] random = new byte[bytes];
    new Random(bytes).nextBytes(random);
    Files.write(source.resolve(name), random);
  }

  private void assertArrived(Sent sent) throws Exception {
    Outcome.Ended outcome = port.next();
    assertThat(outcome).isInstanceOf(Outcome.Arrived.class);
    Received received = ((Outcome.Arrived) outcome).received();
    assertThat(received.sha256()).isEqualTo(sent.sha256());
    assertThat(Trees.look(into.resolve("source"))).isEqualTo(Trees.look(source));
  }
}
