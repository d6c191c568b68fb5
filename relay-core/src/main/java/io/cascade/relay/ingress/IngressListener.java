package io.cascade.relay.ingress;

import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.relay.admission.RefusalLog;
import io.cascade.relay.balancer.BalancedConnection;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.balancer.ClientAddress;
import io.cascade.relay.stream.StreamIds;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import java.util.logging.Logger;

/** A chain's port for applications. */
public final class IngressListener implements AutoCloseable {
  private static final RefusalLog REFUSED =
      RefusalLog.of(Logger.getLogger(IngressListener.class.getName()));

  private final Sockets sockets;
  private final Channel listening;

  private IngressListener(Sockets sockets, Channel listening) {
    this.sockets = sockets;
    this.listening = listening;
  }

  /** Receives the streams. */
  public interface Arrivals {
    /** Accepts a stream. Called on the connection's event loop. {@code early} is handed over. */
    void arrived(Channel inlet, StreamStart start, ByteBuf early);
  }

  /**
   * Opens the port; blocks, so it is never called on an event loop.
   *
   * @param tuning of the accepted connections
   * @param balancers load balancers that send their clients' addresses
   * @throws IOException if the port cannot be opened
   */
  public static IngressListener open(
      Sockets sockets,
      InetSocketAddress at,
      SocketTuning tuning,
      Balancers balancers,
      Arrivals arrivals)
      throws IOException {
    var bound = sockets.listen(at, tuning, handlers(arrivals, balancers)).awaitUninterruptibly();
    Throwable failure = bound.cause();
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    return new IngressListener(sockets, bound.channel());
  }

  /**
   * Takes over a listening socket of another process; accepts connections after {@link #accept}.
   * Blocks.
   *
   * @param tuning of the accepted connections
   * @param balancers load balancers that send their clients' addresses
   * @throws IOException if the descriptor is no listening socket
   */
  public static IngressListener adopt(
      Sockets sockets, int descriptor, SocketTuning tuning, Balancers balancers, Arrivals arrivals)
      throws IOException {
    var adopted =
        sockets.adopt(descriptor, tuning, handlers(arrivals, balancers)).awaitUninterruptibly();
    Throwable failure = adopted.cause();
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    return new IngressListener(sockets, adopted.channel());
  }

  private static Supplier<ChannelHandler> handlers(Arrivals arrivals, Balancers balancers) {
    IngressHandler handler = new IngressHandler(arrivals);
    return BalancedConnection.before(
        () -> handler,
        (context, behind) -> balanced(context.channel(), behind, arrivals),
        balancers,
        REFUSED);
  }

  private static void balanced(Channel connection, ByteBuf early, Arrivals arrivals) {
    ClientAddress who = ClientAddress.of(connection);
    if (who == null) {
      early.release();
      connection.close(); // reset meanwhile
    } else {
      arrivals.arrived(
          connection, new StreamStart(StreamIds.next(), who.client(), who.at()), early);
    }
  }

  /** Makes the first handler of a connection that did not arrive at the port. */
  public static ChannelHandler handler(Arrivals arrivals) {
    return new IngressHandler(arrivals);
  }

  /** Accepts connections, or leaves them in the kernel's queue. Blocks. */
  public void accept(boolean on) {
    sockets.accept(listening, on);
  }

  /** Descriptor of the listening socket, for a successor. */
  public int descriptor() {
    return ((UnixChannel) listening).fd().intValue();
  }

  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Stops accepting connections; accepted ones continue. */
  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
  }
}
