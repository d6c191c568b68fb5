package io.cascade.client.transfer.connection;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.carriage.transport.LossResponse;
import io.cascade.client.measure.ConnectionAccount;
import io.cascade.client.measure.KernelSocket;
import io.cascade.client.measure.TcpCounters;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** A TCP connection with the kernel's counters. */
public final class TcpConnection implements ByteConnection {
  private final SocketChannel channel;
  private final boolean changesControl;

  /** Description of the peer; null where it is the address of this connection. */
  private final @Nullable String peer;

  private LossResponse response = LossResponse.ofOwn();

  /** Null where the socket cannot be found, and before the connection is used. */
  private @Nullable KernelSocket socket;

  /** Host's default control; null where unknown. */
  private @Nullable String usual;

  private @Nullable ConnectionAccount account;
  private long startNanos;
  private volatile boolean heldByLosses;

  private TcpConnection(SocketChannel channel, boolean changesControl, @Nullable String peer) {
    this.channel = channel;
    this.changesControl = changesControl;
    this.peer = peer;
  }

  /** Creates a connection that keeps the host's congestion control. */
  public static TcpConnection of(SocketChannel channel) {
    return new TcpConnection(channel, false, null);
  }

  /**
   * Creates a connection that a peer has opened. Small writes are not delayed (TCP_NODELAY): the
   * second of two answers would wait a round trip for the acknowledgement of the first.
   *
   * @throws IOException where it has failed; it is closed then
   */
  public static TcpConnection accepted(SocketChannel channel) throws IOException {
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return of(channel);
  }

  /**
   * Connects.
   *
   * @param changesControl whether it may use another congestion control than the host's default,
   *     see {@link LossResponse}
   * @throws TransferFailed naming the peer and why it could not be reached
   */
  public static TcpConnection connect(HostPort to, Duration timeout, boolean changesControl)
      throws TransferFailed {
    return beginning(Connections.connect(to, timeout), changesControl, null);
  }

  /**
   * Creates a connection to a peer with which another host joined it.
   *
   * @param changesControl as for {@link #connect}
   * @param peer description of the peer
   */
  public static TcpConnection joined(SocketChannel channel, boolean changesControl, String peer) {
    return beginning(channel, changesControl, peer);
  }

  private static TcpConnection beginning(
      SocketChannel channel, boolean changesControl, @Nullable String peer) {
    TcpConnection made = new TcpConnection(channel, changesControl, peer);
    made.findSocket();
    if (changesControl && made.change(LossResponse.CONTROL)) {
      made.response = LossResponse.ofBeginning();
    }
    return made;
  }

  private void findSocket() {
    KernelSocket found = KernelSocket.of(channel).orElse(null);
    socket = found;
    usual = found == null ? null : found.congestionControl().orElse(null);
  }

  /** Whether its congestion control keeps its rate under random loss. */
  public boolean toleratesLoss() {
    return response.isBeginning() || LossResponse.CONTROL.equals(usual);
  }

  @Override
  public void begin(long nowNanos) {
    startNanos = nowNanos;
    if (socket == null) {
      findSocket();
    }
    KernelSocket own = socket;
    account = own == null ? null : ConnectionAccount.of(own, nowNanos);
  }

  @Override
  public void look(long nowNanos, long confirmedBytes) {
    ConnectionAccount counted = account;
    if (counted != null && counted.look(nowNanos, confirmedBytes)) {
      respond(counted.latest(), (nowNanos - startNanos) / 1_000);
    }
  }

  private void respond(@Nullable TcpCounters now, long ageMicros) {
    if (now == null) {
      return;
    }
    switch (response.look(
        now.retransmittedSegments(), now.queuedRttMicros(), now.minRttMicros(), ageMicros)) {
      case NONE -> {}
      case TAKE -> heldByLosses = !(changesControl && change(LossResponse.CONTROL));
      case GIVE_BACK -> {
        boolean _ = change(usual);
      }
    }
  }

  /** Sets the congestion control; false where the kernel refuses. */
  private boolean change(@Nullable String to) {
    KernelSocket own = socket;
    if (own == null || to == null || !own.setCongestionControl(to)) {
      return false;
    }
    ConnectionAccount counted = account;
    if (counted != null) {
      counted.controlledBy(to);
    }
    return true;
  }

  @Override
  public @Nullable TransferAccount account() {
    ConnectionAccount counted = account;
    return counted == null ? null : counted.account();
  }

  /**
   * Whether losses without a queue slow it down, and no congestion control that tolerates them may
   * be used: several connections carry more then.
   */
  public boolean isHeldByLosses() {
    return heldByLosses;
  }

  /**
   * Bytes that the peer's kernel had acknowledged at the latest sample.
   *
   * @param unknown result where the kernel does not count
   */
  public long arrivedBytes(long unknown) {
    ConnectionAccount counted = account;
    return counted == null ? unknown : counted.arrivedBytes();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    return channel.read(into);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    return channel.write(from);
  }

  @Override
  public void shutdownOutput() throws IOException {
    channel.shutdownOutput();
  }

  @Override
  public void reset() {
    try (channel) {
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    } catch (IOException e) {
      // The connection has failed already.
    }
  }

  /**
   * Round trip of its handshake as measured by the kernel, without the time that the process takes
   * for its first connection.
   *
   * @param unknown result where the kernel does not report it
   */
  public Duration roundTrip(Duration unknown) {
    KernelSocket own = socket;
    return own == null
        ? unknown
        : own.counters()
            .map(now -> Duration.of(now.rttMicros(), ChronoUnit.MICROS))
            .orElse(unknown);
  }

  /** The peer's address. */
  public InetAddress address() throws IOException {
    return ((InetSocketAddress) channel.getRemoteAddress()).getAddress();
  }

  @Override
  public String peer() {
    if (peer != null) {
      return peer;
    }
    try {
      return String.valueOf(channel.getRemoteAddress()).replaceFirst("^/", "");
    } catch (IOException e) {
      return "unknown";
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
