package io.cascade.client.forward;

import io.cascade.api.HostPort;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.carriage.transport.Transport;
import io.cascade.command.names.AddressRace;
import io.cascade.command.names.NamedPeer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** TCP connections of the junctions of this process, and the event loops that they share. */
final class TcpEnds {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /**
   * Own side, with keep-alive: a peer that vanished without a reset would otherwise keep its place
   * for ever.
   */
  static final SocketTuning LOCAL = SocketTuning.defaults();

  /** Pipes, without keep-alive: their junctions detect a lost peer themselves. */
  static final SocketTuning PIPES = new SocketTuning(null, true, Duration.ZERO, null);

  private static final Sockets SOCKETS =
      new Sockets(
          Transport.best(),
          new MultiThreadIoEventLoopGroup(
              Runtime.getRuntime().availableProcessors(),
              new DefaultThreadFactory("forward", true),
              Transport.best().newIoHandlerFactory()));

  private TcpEnds() {}

  static EventLoop nextLoop() {
    return SOCKETS.loops().next();
  }

  /** Listens; every accepted connection gets its own handler. */
  static Channel listen(
      InetSocketAddress at, SocketTuning tuning, Supplier<ChannelHandler> handlers)
      throws IOException {
    ChannelFuture bound = SOCKETS.listen(at, tuning, handlers).awaitUninterruptibly();
    if (bound.cause() instanceof IOException e) {
      throw e;
    }
    return bound.syncUninterruptibly().channel();
  }

  /**
   * Connects to the first of the host's addresses that answers. Blocks.
   *
   * @throws IOException naming the peer and why it could not be reached
   */
  static Connection connect(HostPort to, SocketTuning tuning, EventLoop loop) throws IOException {
    CompletableFuture<Connection> connecting = new CompletableFuture<>();
    try {
      List<InetSocketAddress> addresses =
          AddressRace.ordered(NamedPeer.resolve(to.host(), to.port()).addresses()).stream()
              .map(address -> new InetSocketAddress(address, to.port()))
              .toList();
      connecting = new AddressRace<>(addresses, new Dialler(tuning, loop)).begin();
      return Waiting.result(connecting);
    } catch (UnknownHostException e) {
      throw new IOException("cannot connect to " + to + ": no such host", e);
    } catch (IOException e) {
      String why =
          switch (ConnectionError.of(e)) {
            case REFUSED -> "connection refused";
            case TIMED_OUT -> "no answer within %d s".formatted(CONNECT_TIMEOUT.toSeconds());
            case HOST_UNREACHABLE -> "no route to host";
            case NETWORK_UNREACHABLE -> "network is unreachable";
            default -> ConnectionError.words(e);
          };
      throw new IOException("cannot connect to " + to + ": " + why, e);
    } catch (InterruptedException e) {
      if (!connecting.cancel(false) && !connecting.isCompletedExceptionally()) {
        connecting.resultNow().close();
      }
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  private record Dialler(SocketTuning tuning, EventLoop loop)
      implements AddressRace.Dialler<Connection> {
    @Override
    public CompletableFuture<Connection> dial(InetSocketAddress to) {
      CompletableFuture<Connection> dialled = new CompletableFuture<>();
      loop.execute(() -> {
        Future<Channel> connecting =
            SOCKETS.connect(loop, to, tuning, CONNECT_TIMEOUT, false, null);
        connecting.addListener((Future<Channel> done) -> {
          if (!done.isSuccess()) {
            dialled.completeExceptionally(done.cause());
            return;
          }
          Connection stands = Connection.of(done.getNow());
          if (!tuning.keepAliveIdle().isZero()) {
            tuning.keepAlive(stands);
          }
          if (!dialled.complete(stands)) {
            stands.close();
          }
        });
        dialled.whenComplete((_, _) -> {
          if (dialled.isCancelled()) {
            boolean _ = connecting.cancel(false);
          }
        });
      });
      return dialled;
    }

    @Override
    public void later(Duration time, Runnable then) {
      loop.schedule(then, time.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void discard(Connection connection) {
      connection.close();
    }
  }
}
