package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.HeaderFields;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file arrives with its time of modification and its permissions. */
@Timeout(60)
class FileAsItWasTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @ValueSource(strings = {"rwxr-x--x", "r--------", "rw-rw-rw-", "rw-r--r--"})
  void withItsTimeToTheNanosecondAndItsPermissions(String permissions) throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2001-02-03T04:05:06.123456789Z")));

    Path arrived = send(file);

    assertThat(arrived).hasContent("content");
    assertThat(Files.getLastModifiedTime(arrived)).isEqualTo(Files.getLastModifiedTime(file));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(arrived)))
        .isEqualTo(permissions);
  }

  @Test
  void withoutWhatLetsOthersActAsItsOwner() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "content");
    Files.setAttribute(file, "unix:mode", 06755);

    Path arrived = send(file);

    assertThat((Integer) Files.getAttribute(arrived, "unix:mode") & 07777).isEqualTo(0755);
  }

  @Test
  void fieldsThatAreNotKnownArePassedOver() throws Exception {
    ByteBuffer fields = ByteBuffer.allocate(11).put((byte) 99).putShort((short) 3).put(new byte[3]);
    fields.put((byte) 3).putShort((short) 2).flip().limit(11);
    fields.putShort(9, (short) 0750);

    assertThat(HeaderFields.decode(fields).permissions())
        .isEqualTo(PosixFilePermissions.fromString("rwxr-x---"));
  }

  private Path send(Path file) throws IOException, InterruptedException {
    Path into = Files.createDirectory(folder.resolve("into"));
    Original original = Original.of(file);
    try (ReceivingPort port =
            ReceivingPort.open(
                new InetSocketAddress("127.0.0.1", 0),
                1,
                new FileReceiver(
                    new OutputTarget(into, false, false), PATIENCE, TransferListener.SILENT));
        FileChannel content = FileChannel.open(file)) {
      Sent _ =
          new FileSender(
                  TcpConnection.of(Connections.connect(port.address(), PATIENCE)),
                  PATIENCE,
                  TransferListener.SILENT)
              .send(
                  new TransferHeader("file", content.size()).with(original.fields()),
                  content,
                  original);
      return ((Outcome.Arrived) port.next()).received().file();
    }
  }
}
