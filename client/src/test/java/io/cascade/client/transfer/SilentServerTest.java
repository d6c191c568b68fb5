package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.client.transfer.connection.RateLimit;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.receiver.FileReceiver;
import io.cascade.client.transfer.receiver.ReceivingPort;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.ByteArrayInputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is no receiver is told from one that waits for a slow source. */
@Timeout(30)
class SilentServerTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Test
  void aServerThatSaysNothingIsNoReceiver() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      FileSender sender =
          new FileSender(
              connection(mute.getLocalPort()),
              PATIENCE,
              TransferListener.SILENT,
              RateLimit.NONE,
              Duration.ofMillis(1));

      assertThatThrownBy(() ->
              sender.send(
                  new TransferHeader("f", 1),
                  Channels.newChannel(new ByteArrayInputStream(new byte[1])),
                  Original.NONE))
          .isInstanceOf(TransferFailed.class)
          .hasMessageContaining("no cascade receive answers");
    }
  }

  @Test
  void aReceiverSpeaksBeforeASlowSourceYieldsAnything(@TempDir Path folder) throws Exception {
    try (ReceivingPort port =
            ReceivingPort.open(
                new InetSocketAddress("127.0.0.1", 0),
                1,
                new FileReceiver(
                    new OutputTarget(folder, false, false), PATIENCE, TransferListener.SILENT));
        PipedOutputStream source = new PipedOutputStream();
        FileTransfer transfer =
            FileTransfer.ofStream(
                new TransferHeader("f", TransferHeader.UNKNOWN_SIZE),
                Channels.newChannel(new PipedInputStream(source)),
                PATIENCE,
                TransferListener.SILENT)) {
      transfer.over(connection(port.address().port()));

      await().until(transfer::isAnswered);
      source.write(1);
      source.close();

      assertThat(transfer.await().bytes()).isEqualTo(1);
    }
  }

  private static TcpConnection connection(int port) throws Exception {
    return TcpConnection.of(SocketChannel.open(new InetSocketAddress("127.0.0.1", port)));
  }
}
