package io.cascade.client.forward;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.Connections;
import io.cascade.client.transfer.TransferFailed;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Straight to the far junction over TCP, through no relay. Remembers for some minutes that the path
 * loses packets.
 */
public final class DirectDialer implements PipeDialer {
  static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  /** Shorter round trips are a local network's, in which TCP lacks nothing. */
  private static final long LEAST_ROUND_TRIP_MICROS = 2_000;

  private final HostPort to;
  private final boolean changesControl;

  /** Of the lock, as what follows: where the latest connection leads. */
  private @Nullable InetSocketAddress connected;

  private boolean hasLost;
  private long lostNanos;

  /**
   * @param changesControl whether its connections may take another congestion control than the
   *     host's default where they lose packets
   */
  public DirectDialer(HostPort to, boolean changesControl) {
    this.to = to;
    this.changesControl = changesControl;
  }

  @Override
  public String name() {
    return "direct";
  }

  @Override
  public PipeChannel connect() throws IOException {
    SocketChannel connection = connect(to);
    synchronized (this) {
      connected = (InetSocketAddress) connection.getRemoteAddress();
    }
    return new TcpPipe(connection, changesControl, this::losesPackets);
  }

  synchronized void losesPackets(long minRttMicros) {
    if (minRttMicros >= LEAST_ROUND_TRIP_MICROS) {
      hasLost = true;
      lostNanos = System.nanoTime();
    }
  }

  /** The far junction's address, where the path to it has lost packets of late; null otherwise. */
  synchronized @Nullable InetSocketAddress lossyPathTo() {
    boolean of = hasLost && System.nanoTime() - lostNanos < REMEMBERED.toNanos();
    return of ? connected : null;
  }

  static SocketChannel connect(HostPort to) throws IOException {
    try {
      return Connections.connect(to, CONNECT_TIMEOUT);
    } catch (TransferFailed e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
