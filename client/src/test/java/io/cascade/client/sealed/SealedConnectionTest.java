package io.cascade.client.sealed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.TcpConnection;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two ends on a real TCP connection. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SealedConnectionTest {
  private final ReceiverIdentity identity = ReceiverIdentity.create();

  @SuppressWarnings("NullAway.Init")
  private TcpConnection sender;

  @SuppressWarnings("NullAway.Init")
  private TcpConnection receiver;

  @BeforeEach
  void connect() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      sender = TcpConnection.of(SocketChannel.open(server.getLocalAddress()));
      receiver = TcpConnection.of(server.accept());
    }
  }

  @AfterEach
  void close() throws IOException {
    sender.close();
    receiver.close();
  }

  @Test
  void oneThreadReadsWhileAnotherWrites() throws Exception {
    Ends ends = sealed();
    byte[] there = random(5_000_000);
    byte[] back = random(3_000_000);
    CompletableFuture<byte[]> arrivedThere = reading(ends.receiver, there.length);
    CompletableFuture<byte[]> arrivedBack = reading(ends.sender, back.length);

    CompletableFuture<Void> writing = writing(ends.receiver, back);
    Channels.writeFully(ends.sender, ByteBuffer.wrap(there));
    writing.get();

    assertThat(arrivedThere.get()).isEqualTo(there);
    assertThat(arrivedBack.get()).isEqualTo(back);
  }

  @Test
  void anEndOfOneDirectionLeavesTheOther() throws Exception {
    Ends ends = sealed();
    CompletableFuture<byte[]> answer = reading(ends.sender, 4);
    Channels.writeFully(ends.sender, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    ends.sender.shutdownOutput();

    ByteBuffer into = ByteBuffer.allocate(10);
    while (ends.receiver.read(into) >= 0) {
      // Until the end.
    }
    Channels.writeFully(ends.receiver, ByteBuffer.wrap(new byte[] {4, 5, 6, 7}));
    ends.receiver.shutdownOutput();

    assertThat(into.position()).isEqualTo(3);
    assertThat(answer.get()).containsExactly(4, 5, 6, 7);
    assertThat(ends.sender.read(ByteBuffer.allocate(1))).isEqualTo(-1);
  }

  @Test
  void anEndThatThePeerDidNotSealIsAFailure() throws Exception {
    Ends ends = sealed();
    Channels.writeFully(ends.sender, ByteBuffer.wrap(new byte[] {1, 2, 3}));
    sender.shutdownOutput(); // As anybody on the way could.

    Channels.readFully(ends.receiver, ByteBuffer.allocate(3));
    assertThatThrownBy(() -> ends.receiver.read(ByteBuffer.allocate(1)))
        .isInstanceOf(EOFException.class);
  }

  @Test
  void aByteThatSomebodyElsePutInIsAFailure() throws Exception {
    Ends ends = sealed();
    Channels.writeFully(sender, ByteBuffer.wrap(new byte[] {0x17, 3, 3, 0, 17}).duplicate());
    Channels.writeFully(sender, ByteBuffer.wrap(new byte[17]));

    assertThatThrownBy(() -> ends.receiver.read(ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class);
  }

  @Test
  void anotherCertificateIsNotTaken() {
    byte[] other = ReceiverIdentity.create().fingerprint();
    CompletableFuture<SealedConnection> accepting = accepting();

    assertThatThrownBy(() -> SealedConnection.over(sender, TlsEnds.sender(() -> other), () -> {}))
        .isInstanceOf(IOException.class)
        .hasRootCauseInstanceOf(TlsEnds.OtherCertificate.class);
    assertThatThrownBy(
            () -> {
              sender.close();
              SealedConnection half = accepting.get();
              int _ = half.read(ByteBuffer.allocate(1));
            })
        .satisfiesAnyOf(
            e -> assertThat(e).isInstanceOf(ExecutionException.class),
            e -> assertThat(e).isInstanceOf(IOException.class));
  }

  private record Ends(SealedConnection sender, SealedConnection receiver) {}

  private Ends sealed() throws Exception {
    CompletableFuture<SealedConnection> accepting = accepting();
    SealedConnection made =
        SealedConnection.over(sender, TlsEnds.sender(identity::fingerprint), () -> {});
    return new Ends(made, accepting.get());
  }

  private CompletableFuture<SealedConnection> accepting() {
    return done(() -> SealedConnection.over(receiver, identity.engine(), () -> {}));
  }

  private static CompletableFuture<byte[]> reading(ByteConnection from, int bytes) {
    return done(() -> {
      ByteBuffer into = ByteBuffer.allocate(bytes);
      Channels.readFully(from, into);
      return into.array();
    });
  }

  private static CompletableFuture<Void> writing(ByteConnection to, byte[] bytes) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            Channels.writeFully(to, ByteBuffer.wrap(bytes));
            boolean _ = written.complete(null);
          } catch (IOException e) {
            written.completeExceptionally(e);
          }
        });
    return written;
  }

  private static <T> CompletableFuture<T> done(java.util.concurrent.Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            result.complete(work.call());
          } catch (Exception e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private static byte[] random(int bytes) {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    return content;
  }
}
