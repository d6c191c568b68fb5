package io.cascade.relay.probe;

import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.SocketTuning;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Opens a probe's connections as the relay opens those of its streams, and closes them gracefully.
 */
final class ProbeConnections implements ConnectProbe.Connector {
  private static final SocketTuning TUNING = SocketTuning.defaults();

  private final Sockets sockets;

  ProbeConnections(Sockets sockets) {
    this.sockets = sockets;
  }

  /** Blocks until the connection is open or has failed. Must not be called on an event loop. */
  @Override
  public long connect(InetSocketAddress target, int timeoutMillis) throws IOException {
    EventLoop loop = sockets.loops().next();
    Promise<Long> stood = loop.newPromise();
    loop.execute(() -> begin(loop, target, Duration.ofMillis(timeoutMillis), stood));
    try {
      stood.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while connecting to " + target);
    }
    if (stood.cause() instanceof IOException failure) {
      throw failure;
    }
    if (stood.cause() != null) { // no free file descriptor
      throw new IOException(String.valueOf(stood.cause().getMessage()), stood.cause());
    }
    return stood.getNow();
  }

  private void begin(
      EventLoop loop, InetSocketAddress target, Duration timeout, Promise<Long> stood) {
    long began = System.nanoTime();
    sockets
        .connect(loop, target, TUNING, timeout, false, null)
        .addListener((Future<Channel> connection) -> {
          if (connection.isSuccess()) {
            stood.setSuccess(System.nanoTime() - began);
            Connection.of(connection.getNow()).closeInOrder();
          } else {
            stood.setFailure(connection.cause());
          }
        });
  }
}
