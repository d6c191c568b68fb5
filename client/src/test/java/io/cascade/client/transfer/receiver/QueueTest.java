package io.cascade.client.transfer.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.client.transfer.FileSender;
import io.cascade.client.transfer.Original;
import io.cascade.client.transfer.Sent;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.connection.Connections;
import io.cascade.client.transfer.connection.TcpConnection;
import io.cascade.client.transfer.wire.Queued;
import io.cascade.client.transfer.wire.Reply;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transfers that wait until others have arrived. */
@Timeout(60)
class QueueTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  void whoWaitsIsToldItsPlaceAndMovesUp() throws Exception {
    try (ReceivingPort port = port();
        SocketChannel first = announce(port, "first")) {
      await().until(() -> folder.toFile().list().length == 1);
      try (SocketChannel second = announce(port, "second")) {
        assertThat(Reply.read(second)).isEqualTo(new Queued(1));
        try (SocketChannel third = announce(port, "third")) {
          assertThat(Reply.read(third)).isEqualTo(new Queued(2));

          first.close();
          await().until(() -> folder.resolve(".second.cascade-part").toFile().exists());
          Reply place = Reply.read(third);
          while (place.equals(new Queued(2))) {
            place = Reply.read(third);
          }
          assertThat(place).isEqualTo(new Queued(1));
        }
      }
    }
  }

  @Test
  void aSenderWaitsAndSendsWhenItsTurnComes() throws Exception {
    List<Integer> places = new CopyOnWriteArrayList<>();
    TransferListener listener =
        new TransferListener() {
          @Override
          public void waits(int place) {
            places.add(place);
          }
        };
    try (ReceivingPort port = port();
        SocketChannel first = announce(port, "first")) {
      await().until(() -> folder.toFile().list().length == 1);
      CompletableFuture<Sent> sent = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              sent.complete(send(port, listener));
            } catch (IOException e) {
              sent.completeExceptionally(e);
            }
          });
      await().until(() -> places.contains(1));
      assertThat(sent).isNotDone();

      first.close();

      assertThat(sent.get().bytes()).isEqualTo(3);
    }
  }

  @Test
  void aSenderThatGoesLeavesItsPlace() throws Exception {
    try (ReceivingPort port = port();
        SocketChannel first = announce(port, "first")) {
      await().until(() -> folder.toFile().list().length == 1);
      try (SocketChannel second = announce(port, "second")) {
        assertThat(Reply.read(second)).isEqualTo(new Queued(1));
        second.setOption(StandardSocketOptions.SO_LINGER, 0);
      }
      try (SocketChannel third = announce(port, "third")) {
        Reply place = Reply.read(third);
        while (!place.equals(new Queued(1))) {
          place = Reply.read(third);
        }
      }
    }
  }

  /** Each replaces what it finds in the folder, while files may arrive beside it. */
  @Test
  void aFolderWaitsForAnotherOneAndFilesForNeither() throws Exception {
    try (ReceivingPort port =
            ReceivingPort.open(
                new InetSocketAddress("127.0.0.1", 0),
                Long.MAX_VALUE,
                new FileReceiver(
                    new OutputTarget(folder, false, false), PATIENCE, TransferListener.SILENT));
        SocketChannel first = announceEntries(port)) {
      await().until(() -> folder.resolve(".cascade-entries").toFile().exists());
      try (SocketChannel second = announceEntries(port)) {
        assertThat(Reply.read(second)).isEqualTo(new Queued(1));

        assertThat(send(port, TransferListener.SILENT).bytes()).isEqualTo(3);

        first.close();
        assertThat(port.next()).isInstanceOf(Outcome.Arrived.class);
        assertThat(port.next()).isInstanceOf(Outcome.Broken.class);
        second.shutdownOutput();
        assertThat(port.next()).as("it had its turn").isInstanceOf(Outcome.Broken.class);
      }
    }
  }

  private static SocketChannel announceEntries(ReceivingPort port) throws IOException {
    SocketChannel sender =
        SocketChannel.open(new InetSocketAddress("127.0.0.1", port.address().port()));
    sender.write(new TransferHeader("photos", TransferHeader.UNKNOWN_SIZE).asEntries().encode());
    return sender;
  }

  private ReceivingPort port() throws IOException {
    return ReceivingPort.open(
        new InetSocketAddress("127.0.0.1", 0),
        Long.MAX_VALUE,
        new FileReceiver(
            new OutputTarget(folder, false, false),
            PATIENCE,
            PATIENCE,
            TransferListener.SILENT,
            1));
  }

  private static SocketChannel announce(ReceivingPort port, String name) throws IOException {
    SocketChannel sender =
        SocketChannel.open(new InetSocketAddress("127.0.0.1", port.address().port()));
    sender.write(
        new TransferHeader(name, 10, UUID.randomUUID(), TransferHeader.Purpose.FILE).encode());
    return sender;
  }

  private static Sent send(ReceivingPort port, TransferListener listener) throws IOException {
    return new FileSender(
            TcpConnection.of(Connections.connect(port.address(), PATIENCE)), PATIENCE, listener)
        .send(
            new TransferHeader("sent", 3),
            Channels.newChannel(new ByteArrayInputStream(new byte[3])),
            Original.NONE);
  }
}
