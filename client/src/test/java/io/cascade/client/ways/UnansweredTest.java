package io.cascade.client.ways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.FileTransfer;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.TransferHeader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server takes the connection and says nothing. */
@Timeout(30)
class UnansweredTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private ServerSocket mute;

  @SuppressWarnings("NullAway.Init")
  private FileTransfer transfer;

  @SuppressWarnings("NullAway.Init")
  private Recipient to;

  @BeforeEach
  void connect() throws Exception {
    mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    to = Recipient.inClear(new HostPort("127.0.0.1", mute.getLocalPort()));
    Path file = Files.write(folder.resolve("f"), new byte[1]);
    transfer =
        new FileTransfer(
            new TransferHeader("f", 1).asResumable(),
            FileChannel.open(file),
            Original.of(file),
            PATIENCE,
            TransferListener.SILENT);
    transfer.over(
        TcpConnection.of(
            SocketChannel.open(new InetSocketAddress("127.0.0.1", mute.getLocalPort()))));
  }

  @AfterEach
  void close() throws Exception {
    transfer.close();
    mute.close();
  }

  @Test
  void aDirectConnectionThatStaysSilentLeadsToNoReceiverWhateverOtherWaysThereAre() {
    new Unanswered(to, transfer, Unanswered.Way.DIRECT, Unanswered.Way.RELAYED)
        .silent(Duration.ofSeconds(15));

    assertThatThrownBy(transfer::await)
        .isInstanceOfSatisfying(
            TransferFailed.class,
            failure -> assertThat(failure.path()).isEqualTo(TransferFailed.Path.UNANSWERED))
        .hasMessageContaining("no cascade receive answers at " + to)
        .hasMessageContaining("did not answer as one within 15 s")
        .hasMessageContaining("fix: start ./cascade receive there, or use --raw");
  }

  @Test
  void whoWaitsForAReceiverIsNotToldOfSilence() {
    transfer.retryingFor(Duration.ofDays(2));
    new Unanswered(to, transfer, Unanswered.Way.DIRECT).silent(Duration.ofSeconds(15));

    assertThat(transfer.isOver()).isFalse();
  }

  @Test
  void connectionsThatEndCountOfEachWay() {
    Unanswered unanswered =
        new Unanswered(to, transfer, Unanswered.Way.DIRECT, Unanswered.Way.RELAYED);
    for (int i = 0; i < Unanswered.MOST; i++) {
      unanswered.ended(Unanswered.Way.DIRECT);
    }
    assertThat(transfer.isOver()).isFalse();

    unanswered.without(Unanswered.Way.RELAYED);
    assertThatThrownBy(transfer::await).hasMessageContaining("3 connections ended");
  }
}
