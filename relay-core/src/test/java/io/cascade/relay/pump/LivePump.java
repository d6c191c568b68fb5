package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A direction between two real connections on one event loop, and the programs at their ends. */
final class LivePump implements AutoCloseable, PumpOwner {
  static final int LIMIT = 256 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  final EventLoop loop;
  final Socket client;
  final Socket server;
  final Connection sink;
  final Pump pump;
  final CompletableFuture<Throwable> failure = new CompletableFuture<>();
  private final MemoryBudget budget = new MemoryBudget(16 << 20);
  private final MultiThreadIoEventLoopGroup loops;

  /**
   * @param atSink the handler of the connection that the bytes go to
   */
  LivePump(PumpMode mode, ChannelHandler atSink) throws Exception {
    this(mode, atSink, LIMIT);
  }

  /**
   * @param limit the most that the direction may hold
   */
  LivePump(PumpMode mode, ChannelHandler atSink, long limit) throws Exception {
    LeakWatch.start();
    loops = new MultiThreadIoEventLoopGroup(1, Transport.EPOLL.newIoHandlerFactory());
    loop = loops.next();
    try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Feeding feeding = new Feeding();
      Connection source = connect(listening, feeding);
      client = listening.accept();
      sink = connect(listening, atSink);
      server = listening.accept();
      server.setSoTimeout((int) PATIENCE.toMillis());
      pump =
          new Pump(
              Direction.FORWARD,
              source,
              budget.newLedger(),
              limit,
              new StartGate.Open(),
              mode,
              Path.of("not-used"),
              this);
      feeding.pump = pump;
    }
    onLoop(() -> {
      pump.start();
      pump.sinkReady(sink, true);
    });
  }

  CompletableFuture<Void> writing(byte[] bytes) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            client.getOutputStream().write(bytes);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  void onLoop(Runnable task) throws Exception {
    loop.submit(task).get();
  }

  static byte[] random(int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  @Override
  public void close() throws Exception {
    client.close();
    server.close();
    onLoop(pump::discard);
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    assertThat(budget.heldBytes()).isZero();
    LeakWatch.assertNothingLeaks();
  }

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

  private Connection connect(ServerSocket to, ChannelHandler handler) throws Exception {
    Sockets sockets = new Sockets(Transport.EPOLL, loops);
    InetSocketAddress address = new InetSocketAddress(to.getInetAddress(), to.getLocalPort());
    return Connection.of(
        loop.submit(() ->
                sockets.connect(loop, address, SocketTuning.defaults(), PATIENCE, false, handler))
            .get()
            .get());
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
      if (event instanceof ChannelInputShutdownReadComplete) {
        Objects.requireNonNull(pump).sourceEnded();
      }
    }
  }
}
