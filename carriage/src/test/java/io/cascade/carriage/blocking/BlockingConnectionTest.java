package io.cascade.carriage.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.carriage.coded.CodedAcceptor;
import io.cascade.carriage.coded.CodedDialler;
import io.cascade.carriage.coded.CodedPeer;
import io.cascade.carriage.coded.CodedPort;
import io.cascade.carriage.coded.CodedService;
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
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two threads speak over a coded session as they would over TCP. */
@Timeout(60)
class BlockingConnectionTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final MultiThreadIoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(2, Transport.EPOLL.newIoHandlerFactory());
  private final BlockingQueue<BlockingConnection> accepted = new LinkedBlockingQueue<>();
  private CodedAcceptor acceptor;
  private CodedPort port;
  private CodedDialler dialler;
  private BlockingConnection near;
  private BlockingConnection far;

  @BeforeEach
  void connect() throws Exception {
    byte[] key = new byte[32];
    CodedSettings settings =
        CodedSettings.of(CodedStreamLimits.usual(new StreamMemory(64 << 20, () -> Long.MAX_VALUE)));
    acceptor =
        new CodedAcceptor(
            loops,
            _ ->
                new CodedService(key, () -> new BlockingConnection(accepted::add).handler(), false),
            settings);
    port = CodedPort.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), acceptor);
    dialler =
        new CodedDialler(
            new CodedPeer(port.address(), key, new byte[] {1}, false),
            loops,
            settings,
            (on, _) -> on.newFailedFuture(new IOException("no TCP")),
            _ -> {});
    near = dial();
    near.write(ByteBuffer.wrap(new byte[] {0}));
    far = accepted.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    far.read(ByteBuffer.allocate(1));
  }

  private BlockingConnection dial() throws Exception {
    CompletableFuture<BlockingConnection> connected = new CompletableFuture<>();
    EventLoop loop = loops.next();
    BlockingConnection made = new BlockingConnection(connected::complete);
    loop.execute(() -> {
      Future<Channel> dialled =
          dialler.connect(
              loop, made.handler(), () -> loop.newFailedFuture(new IOException("no TCP")));
      dialled.addListener(_ -> {
        if (!dialled.isSuccess()) {
          connected.completeExceptionally(dialled.cause());
        }
      });
    });
    return connected.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  @AfterEach
  void close() throws Exception {
    dialler.close();
    acceptor.abort();
    port.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await();
  }

  @Test
  void whatOneWritesTheOtherReadsUpToTheEnd() throws Exception {
    byte[] content = new byte[5 << 20];
    new Random(1).nextBytes(content);
    Thread writer = Thread.startVirtualThread(() -> writeAll(content));

    ByteBuffer read = ByteBuffer.allocate(content.length + 1);
    while (far.read(read) >= 0) {
      // on to the end
    }
    writer.join();

    assertThat(read.flip().remaining()).isEqualTo(content.length);
    assertThat(read.compact().array()).startsWith(content);
  }

  @Test
  void anEndThatIsClosedAfterItsOutputEndedHasDeliveredAll() throws Exception {
    near.write(ByteBuffer.wrap(new byte[100_000]));
    near.shutdownOutput();
    near.close();

    ByteBuffer read = ByteBuffer.allocate(200_000);
    while (far.read(read) >= 0) {
      // on to the end
    }
    assertThat(read.position()).isEqualTo(100_000);
  }

  @Test
  void anEndThatIsClosedBeforeIsAFailure() throws Exception {
    near.write(ByteBuffer.wrap(new byte[10]));
    near.close();

    ByteBuffer read = ByteBuffer.allocate(100);
    assertThatThrownBy(
            () -> {
              while (far.read(read) >= 0) {
                // on to the end
              }
            })
        .isInstanceOf(IOException.class);
  }

  @Test
  void aReaderAndAWriterThatWaitAreWokenByTheClose() throws Exception {
    CompletableFuture<Throwable> reading = failureOf(() -> far.read(ByteBuffer.allocate(1)));
    CompletableFuture<Throwable> writing =
        failureOf(() -> {
          while (true) {
            far.write(ByteBuffer.allocate(1 << 20)); // which nobody reads
          }
        });

    far.close();

    assertThat(reading.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(IOException.class);
    assertThat(writing.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(IOException.class);
  }

  @Test
  void deliveryIsAwaited() throws Exception {
    near.write(ByteBuffer.wrap(new byte[10]));
    near.shutdownOutput();

    assertThat(near.awaitDelivery(PATIENCE)).isTrue();
  }

  private void writeAll(byte[] content) {
    try {
      near.write(ByteBuffer.wrap(content));
      near.shutdownOutput();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private interface Action {
    void run() throws IOException;
  }

  private static CompletableFuture<Throwable> failureOf(Action action) {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread.startVirtualThread(() -> {
      try {
        action.run();
        failure.complete(new AssertionError("did not fail"));
      } catch (IOException | RuntimeException e) {
        failure.complete(e);
      }
    });
    return failure;
  }
}
