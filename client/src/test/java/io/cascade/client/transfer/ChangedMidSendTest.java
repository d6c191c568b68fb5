package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.client.transfer.ChangedFileTest.Change;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.SlowWire;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.Outcome;
import io.cascade.client.transfer.receiver.OutputTarget;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.HeaderFields;
import io.cascade.client.transfer.wire.TransferHeader;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file that changes once a part of it has arrived, of a transfer that outlives connections. */
@Timeout(60)
class ChangedMidSendTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int SIZE = 8_000_000;
  private static final long BYTES_PER_SECOND = 8_000_000;

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource
  void isAnErrorAtBothEndsAndStandsNowhere(Change change) throws Exception {
    Path into = Files.createDirectory(folder.resolve("into"));
    byte[] content = new byte[SIZE];
    new Random(1).nextBytes(content);
    Path file = Files.write(folder.resolve("file"), content);
    try (ReceivingPort port =
            ReceivingPort.open(
                new InetSocketAddress("127.0.0.1", 0),
                Long.MAX_VALUE,
                new FileReceiver(
                    new OutputTarget(into, false, false), PATIENCE, TransferListener.SILENT));
        SlowWire wire = SlowWire.to(port.address(), BYTES_PER_SECOND);
        FileChannel channel = FileChannel.open(file)) {
      Original original = Original.of(file);
      TransferHeader header =
          new TransferHeader("file", SIZE).with(new HeaderFields(original.origin())).asResumable();
      try (FileTransfer transfer =
          new FileTransfer(header, channel, original, PATIENCE, TransferListener.SILENT)) {
        transfer.over(TcpConnection.of(Connections.connect(wire.address(), PATIENCE)));
        await().until(() -> transfer.shares().getFirst().bytes() > SIZE / 8);

        change.to(file);

        assertThatThrownBy(transfer::await)
            .isInstanceOf(TransferFailed.class)
            .hasMessageContaining("while it was sent");
      }
      assertThat(((Outcome.Broken) port.next()).reason())
          .as("the receiver hears why at once")
          .contains("while it was sent");
      assertThat(into.resolve("file")).doesNotExist();
    }
  }
}
