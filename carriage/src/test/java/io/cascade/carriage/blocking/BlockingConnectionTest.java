package io.cascade.carriage.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.carriage.coded.CodedAcceptor;
import io.cascade.carriage.coded.CodedDialler;
import io.cascade.carriage.coded.CodedPeer;
import io.cascade.carriage.coded.CodedService;
import io.cascade.carriage.coded.CodedSettings;
import io.cascade.carriage.socket.UdpPort;
import io.cascade.carriage.transport.Transport;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.StreamMemory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
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
  private UdpPort port;
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
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    port = acceptor.listen(any, (_, _) -> {});
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
  void whoTakesItOverHasWhatWasNotReadAndWhatFollows() throws Exception {
    near.write(ByteBuffer.wrap(new byte[] {1, 2}));
    far.read(ByteBuffer.allocate(1));
    CompletableFuture<byte[]> all = new CompletableFuture<>();
    far.handOver((connection, behind) -> {
      connection.pipeline().addLast(new Rest(behind, all));
      connection.read();
    });
    near.write(ByteBuffer.wrap(new byte[] {3}));
    near.shutdownOutput();
    far.close();

    assertThat(all.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).containsExactly(2, 3);
    assertThatThrownBy(() -> far.read(ByteBuffer.allocate(1)))
        .isInstanceOf(ClosedChannelException.class);
  }

  @Test
  void whoTakesItOverIsToldOfAnEndThatHasCome() throws Exception {
    near.write(ByteBuffer.wrap(new byte[] {1}));
    near.shutdownOutput();
    ByteBuffer read = ByteBuffer.allocate(2);
    while (far.read(read) >= 0) {
      // on to the end
    }
    CompletableFuture<byte[]> all = new CompletableFuture<>();
    far.handOver((connection, behind) -> connection.pipeline().addLast(new Rest(behind, all)));

    assertThat(all.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
  }

  /** Collects what comes up to the end. */
  private static final class Rest extends ChannelInboundHandlerAdapter {
    private final ByteBuf come;
    private final CompletableFuture<byte[]> all;

    Rest(ByteBuf behind, CompletableFuture<byte[]> all) {
      this.come = Unpooled.buffer().writeBytes(behind);
      this.all = all;
      behind.release();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      come.writeBytes((ByteBuf) message);
      ((ByteBuf) message).release();
      context.read();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof ChannelInputShutdownReadComplete) {
        all.complete(ByteBufUtil.getBytes(come));
      }
    }
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
