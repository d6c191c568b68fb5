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

/** A connection over TCP, with what the kernel counts of it. */
public final class TcpConnection implements ByteConnection {
  private final SocketChannel channel;
  private final boolean changesControl;

  /** The peer for people to read; null where it is the address that this is connected to. */
  private final @Nullable String peer;

  private LossResponse response = LossResponse.ofOwn();

  /** Null where the system does not tell, and before the connection is used. */
  private @Nullable KernelSocket socket;

  /** Host's control; null where it is not known. */
  private @Nullable String usual;

  private @Nullable ConnectionAccount account;
  private long startNanos;
  private volatile boolean heldByLosses;

  private TcpConnection(SocketChannel channel, boolean changesControl, @Nullable String peer) {
    this.channel = channel;
    this.changesControl = changesControl;
    this.peer = peer;
  }

  /** A connection that keeps the host's congestion control. */
  public static TcpConnection of(SocketChannel channel) {
    return new TcpConnection(channel, false, null);
  }

  /**
   * A connection that a peer has made. Small writes are not delayed (TCP_NODELAY): the second of
   * two answers would wait a round trip for the acknowledgement of the first.
   *
   * @throws IOException where it is gone; it is closed then
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
   * @param changesControl whether it may take another congestion control than the host's default,
   *     see {@link LossResponse}
   * @throws TransferFailed naming the peer and why it could not be reached
   */
  public static TcpConnection connect(HostPort to, Duration timeout, boolean changesControl)
      throws TransferFailed {
    return beginning(Connections.connect(to, timeout), changesControl, null);
  }

  /**
   * A connection to a peer that another host joined it with.
   *
   * @param changesControl as for {@link #connect}
   * @param peer for people to read
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

  /** Whether losses on the way do not slow it down, as far as its congestion control goes. */
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

  /** Sets the congestion control; false where the system refuses. */
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
   * Whether losses without a queue hold it back, and it may not have a control that they do not
   * slow down: several connections carry more then.
   */
  public boolean isHeldByLosses() {
    return heldByLosses;
  }

  /**
   * Bytes that the peer's kernel had acknowledged at the latest look.
   *
   * @param unknown what to say where the system does not count
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
      // It is gone already.
    }
  }

  /**
   * Round trip of its handshake, as the kernel took it; what a process takes to connect for the
   * first time is not in it.
   *
   * @param unknown what to say where the system does not tell
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
