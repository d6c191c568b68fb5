package io.cascade.client.forward;

import io.cascade.api.HostPort;
import io.cascade.carriage.blocking.BlockingConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Dials the far junction directly over TCP, through no relay. Remembers for some minutes that the
 * path loses packets.
 */
public final class DirectPipeDialler implements PipeDialler {
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  /** Shorter round trips indicate a local network, on which TCP needs no help. */
  private static final long LEAST_ROUND_TRIP_MICROS = 2_000;

  private final HostPort to;
  private final boolean changesControl;

  /** Address of the latest connection. Guarded by this, as are the following fields. */
  private @Nullable InetSocketAddress connected;

  private boolean hasLost;
  private long lostNanos;

  /**
   * @param changesControl whether its connections may switch to another congestion control than the
   *     host's default when they lose packets
   */
  public DirectPipeDialler(HostPort to, boolean changesControl) {
    this.to = to;
    this.changesControl = changesControl;
  }

  @Override
  public String name() {
    return "direct";
  }

  @Override
  public BlockingConnection connect() throws IOException {
    BlockingConnection connection = TcpPipes.connect(to, changesControl, this::losesPackets);
    if (connection.remoteAddress() instanceof InetSocketAddress address) {
      synchronized (this) {
        connected = address;
      }
    }
    return connection;
  }

  synchronized void losesPackets(long minRttMicros) {
    if (minRttMicros >= LEAST_ROUND_TRIP_MICROS) {
      hasLost = true;
      lostNanos = System.nanoTime();
    }
  }

  /** The far junction's address if the path to it has lost packets recently; null otherwise. */
  synchronized @Nullable InetSocketAddress lossyPathTo() {
    boolean of = hasLost && System.nanoTime() - lostNanos < REMEMBERED.toNanos();
    return of ? connected : null;
  }
}
