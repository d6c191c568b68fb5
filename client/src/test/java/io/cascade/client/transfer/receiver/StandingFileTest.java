package io.cascade.client.transfer.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.Received;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that stands at the receiver is confirmed where it is the sender's. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class StandingFileTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SIZE = 3_000_000;
  private static final FileTime TIME =
      FileTime.from(Instant.parse("2001-02-03T04:05:06.123456789Z"));

  @TempDir private Path folder;

  private Path into;
  private Path content;
  private Path standing;
  private ReceivingPort port;

  @BeforeEach
  void start() throws IOException {
    into = Files.createDirectory(folder.resolve("into"));
    content = write(folder.resolve("file"), random(), TIME);
    standing = into.resolve("file");
    port =
        ReceivingPort.open(
            new InetSocketAddress("127.0.0.1", 0),
            Long.MAX_VALUE,
            new FileReceiver(
                new OutputTarget(into, false, true), PATIENCE, TransferListener.SILENT));
  }

  @AfterEach
  void stop() throws IOException {
    port.close();
  }

  @Test
  void whoeverDidNotHearThatItArrivedHearsSoFromTheNextTransfer() throws Exception {
    Sent first = send();
    assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
    Object stood = Files.getAttribute(standing, "unix:ino");

    Sent again = send();

    Received received = ((Outcome.Arrived) port.next()).received();
    assertThat(again.sha256()).isEqualTo(first.sha256()).isEqualTo(received.sha256());
    assertThat(again.bytes()).isEqualTo(SIZE).isEqualTo(received.bytes());
    assertThat(received.file()).isEqualTo(standing);
    assertThat(again.wireBytes()).as("what is sent before the offer").isLessThan(SIZE / 2);
    assertThat(Files.getAttribute(standing, "unix:ino")).isEqualTo(stood);
  }

  @Test
  void whatAReceiverLeftThatWasKilledAfterItHadNamedTheFileIsRemoved() throws Exception {
    write(standing, random(), TIME);
    Files.createLink(standing.resolveSibling(".file.cascade-part"), standing);
    Files.writeString(standing.resolveSibling(".file.cascade-journal"), "records");

    assertThat(send().bytes()).isEqualTo(SIZE);

    assertThat(into.toFile().list()).containsExactly("file");
    assertThat(standing).hasSameBinaryContentAs(content);
  }

  @Test
  void anEmptyFileIsConfirmedAsWell() throws Exception {
    write(content, new byte[0], TIME);
    write(standing, new byte[0], TIME);

    assertThat(send().bytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, SIZE - 1})
  void anotherContentOfTheSameSizeAndTimeStaysAndIsRefused(int at) throws Exception {
    byte[] other = random();
    other[at]++;
    write(standing, other, TIME);

    assertThatThrownBy(this::send).hasMessageContaining("exists already");

    assertThat(standing).hasBinaryContent(other);
    assertThat(into.toFile().list()).containsExactly("file");
  }

  @Test
  void theSameContentOfAnotherTimeIsRefused() throws Exception {
    write(standing, random(), FileTime.from(TIME.toInstant().plusNanos(1)));

    assertThatThrownBy(this::send).hasMessageContaining("exists already");
  }

  private Sent send() throws Exception {
    Original original = Original.of(content);
    try (FileChannel file = FileChannel.open(content);
        FileTransfer transfer =
            new FileTransfer(
                new TransferHeader("file", file.size()).with(original.fields()).asResumable(),
                file,
                original,
                PATIENCE,
                TransferListener.SILENT)) {
      while (transfer.canBeJoined()) {
        transfer.carry(
            TcpConnection.of(Connections.connect(port.address(), PATIENCE)), "one", false);
      }
      return transfer.await();
    }
  }

  private static Path write(Path file, byte[] bytes, FileTime time) throws IOException {
    return Files.setLastModifiedTime(Files.write(file, bytes), time);
  }

  private static byte[] random() {
    byte[] random = new byte[SIZE];
    new Random(1).nextBytes(random);
    return random;
  }
}
