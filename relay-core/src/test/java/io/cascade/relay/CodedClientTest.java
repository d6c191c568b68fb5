package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.blocking.BlockingConnection;
import io.cascade.carriage.coded.ClientName;
import io.cascade.carriage.coded.CodedDialler;
import io.cascade.carriage.coded.CodedPeer;
import io.cascade.carriage.coded.CodedSettings;
import io.cascade.carriage.transport.Transport;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.StreamMemory;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client's coded sessions to the first relay of its chain, beside the ingress port. */
@Timeout(60)
class CodedClientTest {
  private static final int BYTES = 4 << 20;

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());

  private ServerSocket destination;

  @SuppressWarnings("NullAway.Init")
  CodedClientTest() {}

  @BeforeEach
  void listen() throws IOException {
    destination = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::echo);
  }

  @AfterEach
  void stop() throws Exception {
    destination.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
  }

  /** Sends everything back, and ends when its client has. */
  private void echo() {
    while (true) {
      try {
        Socket client = destination.accept();
        Thread.startVirtualThread(() -> {
          try (client) {
            client.getInputStream().transferTo(client.getOutputStream());
            client.shutdownOutput();
          } catch (IOException e) {
            return;
          }
        });
      } catch (IOException e) {
        return;
      }
    }
  }

  @Test
  void aStreamPassesByteForByteAndEndsCleanly() throws Exception {
    try (TestChain chain = open(Transport.EPOLL);
        CodedDialler dialler = dialler(chain, chain.id, chain.key(0));
        BlockingConnection client = connect(dialler)) {
      byte[] sent = new byte[BYTES];
      new Random(1).nextBytes(sent);
      Thread writing =
          Thread.startVirtualThread(() -> {
            try {
              client.write(ByteBuffer.wrap(sent));
              client.shutdownOutput();
            } catch (IOException e) {
              client.close();
            }
          });
      ByteBuffer back = ByteBuffer.allocate(BYTES + 1);
      while (client.read(back) >= 0) {
        assertThat(back.hasRemaining()).isTrue();
      }
      writing.join();

      assertThat(back.flip()).isEqualTo(ByteBuffer.wrap(sent));
      await().until(() -> chain.status(0).totals().completed() == 1);
      assertThat(chain.status(0).totals().failed()).isZero();
    }
  }

  @Test
  void aDestinationThatResetsIsNoCleanEnd() throws Exception {
    destination.close();
    try (TestChain chain = open(Transport.EPOLL);
        CodedDialler dialler = dialler(chain, chain.id, chain.key(0));
        BlockingConnection client = connect(dialler)) {
      assertThatThrownBy(
              () -> {
                client.write(ByteBuffer.allocate(1));
                client.read(ByteBuffer.allocate(1));
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void whoLacksTheKeyGetsNoSession() throws Exception {
    try (TestChain chain = open(Transport.EPOLL);
        CodedDialler other = dialler(chain, UUID.randomUUID(), chain.key(0));
        CodedDialler wrong = dialler(chain, chain.id, TestChain.newKey())) {
      assertThatThrownBy(() -> connect(wrong)).hasRootCauseMessage("no answer");
      assertThatThrownBy(() -> connect(other)).hasRootCauseMessage("no answer");
    }
  }

  @Test
  void aRemovedChainTakesNoMoreStreams() throws Exception {
    try (TestChain chain = open(Transport.EPOLL);
        CodedDialler dialler = dialler(chain, chain.id, chain.key(0));
        BlockingConnection client = connect(dialler)) {
      client.write(ByteBuffer.allocate(1));
      client.read(ByteBuffer.allocate(1));

      chain.control(0).remove(chain.id, true, TestChain.PATIENCE);

      assertThatThrownBy(() -> client.read(ByteBuffer.allocate(1))).isInstanceOf(IOException.class);
      assertThatThrownBy(
              () -> {
                BlockingConnection again = connect(dialler);
                again.write(ByteBuffer.allocate(1));
                again.read(ByteBuffer.allocate(1));
              })
          .isInstanceOf(Exception.class);
    }
  }

  @Test
  void aRelayThatTakesNoSessionsIgnoresTheKey() throws Exception {
    try (TestChain chain = open(Transport.NIO);
        CodedDialler dialler = dialler(chain, chain.id, chain.key(0))) {
      assertThatThrownBy(() -> connect(dialler)).hasRootCauseMessage("no answer");
      try (Socket plain = chain.connect()) {
        plain.getOutputStream().write(1);
        assertThat(plain.getInputStream().read()).isEqualTo(1);
      }
    }
  }

  private TestChain open(Transport transport) throws Exception {
    return TestChain.open(
        2,
        transport,
        (InetSocketAddress) destination.getLocalSocketAddress(),
        TestChain.defaults());
  }

  private CodedDialler dialler(TestChain chain, UUID id, String key) {
    return new CodedDialler(
        new CodedPeer(
            chain.relays.getFirst().hopAddress(),
            Base64.getDecoder().decode(key),
            new ClientName(id).encode(),
            true),
        loops,
        CodedSettings.of(CodedStreamLimits.usual(new StreamMemory(64 << 20, () -> Long.MAX_VALUE))),
        (on, _) -> on.newFailedFuture(new IOException("no TCP")),
        _ -> {});
  }

  private BlockingConnection connect(CodedDialler dialler) throws Exception {
    CompletableFuture<BlockingConnection> connected = new CompletableFuture<>();
    BlockingConnection made = new BlockingConnection(connected::complete);
    EventLoop loop = loops.next();
    loop.execute(() -> {
      Future<Channel> opened =
          dialler.connect(
              loop, made.handler(), () -> loop.newFailedFuture(new IOException("no answer")));
      opened.addListener(_ -> {
        if (!opened.isSuccess()) {
          connected.completeExceptionally(opened.cause());
        }
      });
    });
    return connected.get(TestChain.PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
