package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.relay.LeakWatch;
import io.cascade.relay.socket.Sockets;
import io.cascade.relay.transport.KernelPipe;
import io.cascade.relay.transport.SocketTuning;
import io.cascade.relay.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A direction between two real connections while the kernel moves its bytes. */
@Timeout(60)
class SpliceTest {
  private static final int LIMIT = 256 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MemoryBudget budget = new MemoryBudget(16 << 20);
  private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private MultiThreadIoEventLoopGroup loops;
  private EventLoop loop;
  private Socket client;
  private Socket server;
  private Channel sink;
  private Pump pump;

  @BeforeEach
  void open() throws Exception {
    assumeTrue(
        Transport.EPOLL.available() && KernelPipe.missing() == null, "no epoll or no splice(2)");
    LeakWatch.start();
    loops = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
    loop = loops.next();
    try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Feeding feeding = new Feeding();
      Channel source = connect(listening, feeding);
      client = listening.accept();
      sink = connect(listening, new ChannelInboundHandlerAdapter());
      server = listening.accept();
      server.setSoTimeout((int) PATIENCE.toMillis());
      pump =
          new Pump(
              Direction.FORWARD,
              source,
              source.config().getRecvByteBufAllocator(),
              budget.newLedger(),
              LIMIT,
              new StartGate.Open(),
              PumpMode.SPLICE,
              Path.of("not-used"),
              new Told());
      feeding.pump = pump;
    }
    onLoop(() -> {
      pump.start();
      pump.sinkReady(sink, true);
    });
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    if (loops == null) {
      return;
    }
    client.close();
    server.close();
    onLoop(pump::discard);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    assertThat(budget.heldBytes()).isZero();
    LeakWatch.assertNothingLeaks();
  }

  /**
   * Where the peer's end comes with bytes, Netty reads twice, the second time though reading was
   * taken over meanwhile.
   *
   * @param bytes as much as may be held, so that there is room for no more, or less
   */
  @ParameterizedTest
  @ValueSource(ints = {LIMIT, 20_000})
  void whatNettyReadsBesideASpliceKeepsItsPlaceAndHoldsNothingUp(int bytes) throws Exception {
    byte[] beside = random(bytes, 1);
    byte[] sent = random(1 << 20, 2);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    for (int i = 0; i < 20; i++) {
      long before = pump.splicedBytes();
      do { // until the kernel has taken over, or again
        exchange(Arrays.copyOf(sent, 50_000), expected);
      } while (pump.splicedBytes() == before);
      onLoop(() -> read(beside));
      expected.write(beside);
      exchange(sent, expected);
      assertThat(expected.size()).isZero();
    }
    client.shutdownOutput();
    assertThat(server.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void whatNettyReadsBesideFullPipesComesBehindThem() throws Exception {
    byte[] first = random(8 << 20, 3);
    byte[] beside = random(30_000, 4);
    do {
      exchange(Arrays.copyOf(first, 50_000), new ByteArrayOutputStream());
    } while (pump.splicedBytes() == 0);
    CompletableFuture<Void> writing = writing(first);
    await().until(() -> pump.heldBytes() >= LIMIT / 2); // nobody reads at the other end
    long[] at = new long[1];
    long before = pump.bytesOut();
    onLoop(() -> {
      at[0] = pump.bytesIn();
      read(beside);
    });
    byte[] came = server.getInputStream().readNBytes(first.length + beside.length);
    writing.get();
    int place = came.length - (int) (pump.bytesIn() - at[0]);
    assertThat(before).isLessThan(at[0]);
    assertThat(Arrays.copyOfRange(came, place, place + beside.length)).isEqualTo(beside);
    assertThat(Arrays.copyOf(came, place)).isEqualTo(Arrays.copyOf(first, place));
    assertThat(Arrays.copyOfRange(came, place + beside.length, came.length))
        .isEqualTo(Arrays.copyOfRange(first, place, first.length));
  }

  /** Sends, and compares what comes with what was expected before and these bytes. */
  private void exchange(byte[] bytes, ByteArrayOutputStream expected) throws Exception {
    expected.write(bytes);
    CompletableFuture<Void> writing = writing(bytes);
    byte[] all = expected.toByteArray();
    assertThat(Arrays.equals(server.getInputStream().readNBytes(all.length), all)).isTrue();
    writing.get();
    expected.reset();
    assertThat(failure).isNotDone();
  }

  private CompletableFuture<Void> writing(byte[] bytes) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            client.getOutputStream().write(bytes);
          } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        },
        Thread::startVirtualThread);
  }

  /** As Netty hands over what a read of its own has brought. */
  private void read(byte[] bytes) {
    ByteBuf buffer = sink.alloc().directBuffer(LIMIT);
    buffer.writeBytes(bytes);
    pump.received(buffer);
    pump.readComplete();
  }

  private Channel connect(ServerSocket to, ChannelHandler handler) throws Exception {
    Sockets sockets = new Sockets(Transport.EPOLL, loops);
    InetSocketAddress address = new InetSocketAddress(to.getInetAddress(), to.getLocalPort());
    return loop.submit(
            () -> sockets.connect(loop, address, SocketTuning.defaults(), PATIENCE, handler))
        .get()
        .get();
  }

  private void onLoop(Runnable task) throws Exception {
    loop.submit(task).get();
  }

  private static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** What a stream's handler does for its direction. */
  private static final class Feeding extends ChannelInboundHandlerAdapter {
    @Nullable Pump pump;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      Objects.requireNonNull(pump).received((ByteBuf) message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
      Objects.requireNonNull(pump).readComplete();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        Objects.requireNonNull(pump).sourceEnded();
      }
    }
  }

  private final class Told implements Pump.Owner {
    @Override
    public void finished(Pump finished) {}

    @Override
    public void sinkFailed(Pump failed, Throwable cause) {
      failure.complete(cause);
    }

    @Override
    public void pumpFailed(Pump failed, Throwable cause) {
      failure.complete(cause);
    }

    @Override
    public void sourceFailed(Pump failed, Throwable cause) {
      failure.complete(cause);
    }

    @Override
    public void firstByte(Pump first) {}
  }
}
