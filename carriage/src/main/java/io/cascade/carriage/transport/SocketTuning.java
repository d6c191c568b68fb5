package io.cascade.carriage.transport;

import io.cascade.kernel.settings.KernelSettings;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.AttributeKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The TCP options of a stream's connections.
 *
 * @param congestionControl such as {@code cubic}; null for the system's default
 * @param noDelay TCP_NODELAY
 * @param keepAliveIdle idle time before keep-alive probes; zero turns them off
 * @param pacingBytesPerSecond most bytes that a connection sends per second, SO_MAX_PACING_RATE;
 *     null for no limit
 */
public record SocketTuning(
    @Nullable String congestionControl,
    boolean noDelay,
    Duration keepAliveIdle,
    @Nullable Long pacingBytesPerSecond) {
  private static final int KEEP_ALIVE_INTERVAL_SECONDS = 5;
  private static final int KEEP_ALIVE_PROBES = 3;
  private static final int CONGESTION_NAME_LENGTH = 16;
  private static final int LINGER_LENGTH = 8;
  private static final int SOL_SOCKET = 1;
  private static final int IPPROTO_TCP = 6;
  private static final RawUnixChannelOption CONGESTION =
      new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, 13, CONGESTION_NAME_LENGTH);
  private static final RawUnixChannelOption LINGER =
      new RawUnixChannelOption("SO_LINGER_STRUCT", SOL_SOCKET, 13, LINGER_LENGTH);
  private static final ByteBuffer LINGER_ZERO = lingerZero();
  // By number, since Netty's own options apply to connections only.
  private static final IntegerUnixChannelOption NODELAY =
      new IntegerUnixChannelOption("TCP_NODELAY_INT", IPPROTO_TCP, 1);
  private static final IntegerUnixChannelOption KEEPALIVE =
      new IntegerUnixChannelOption("SO_KEEPALIVE_INT", SOL_SOCKET, 9);
  private static final IntegerUnixChannelOption KEEPALIVE_IDLE =
      new IntegerUnixChannelOption("TCP_KEEPIDLE_INT", IPPROTO_TCP, 4);
  private static final IntegerUnixChannelOption KEEPALIVE_INTERVAL =
      new IntegerUnixChannelOption("TCP_KEEPINTVL_INT", IPPROTO_TCP, 5);
  private static final IntegerUnixChannelOption KEEPALIVE_PROBES =
      new IntegerUnixChannelOption("TCP_KEEPCNT_INT", IPPROTO_TCP, 6);
  private static final AttributeKey<SocketTuning> INHERITED =
      AttributeKey.valueOf(SocketTuning.class, "INHERITED");
  private static final RawUnixChannelOption MAX_PACING_RATE =
      new RawUnixChannelOption("SO_MAX_PACING_RATE", SOL_SOCKET, 47, Long.BYTES);
  private static final Path AVAILABLE =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");

  /** Options of connections before their chain is known. */
  public static SocketTuning defaults() {
    return new SocketTuning(null, true, Duration.ofSeconds(15), null);
  }

  /** The tuning of connections whose streams belong to no chain. */
  public static SocketTuning defaults(CongestionControls controls) {
    SocketTuning plain = defaults();
    return new SocketTuning(controls.given(null), plain.noDelay, plain.keepAliveIdle, null);
  }

  /**
   * Sets the options of a connection to be opened, except {@link #keepAlive}, and reset on close.
   */
  public void prepare(Channel connection) {
    ChannelConfig config = connection.config();
    config.setOption(ChannelOption.SO_LINGER, 0);
    config.setOption(ChannelOption.TCP_NODELAY, noDelay);
    if (congestionControl != null) {
      choose(config, congestionControl);
    }
    pace(config);
  }

  /**
   * Enables keep-alive on an open connection. It may be set any time before the connection has been
   * idle that long, since the kernel counts from the last received segment; most streams have ended
   * by then.
   */
  public void keepAlive(Channel opened) {
    if (!hasOptions(opened)) {
      return;
    }
    try {
      keepAlive(opened.config(), opened instanceof UnixChannel);
    } catch (ChannelException e) {
      // The connection failed meanwhile, and reports that itself.
    }
  }

  /**
   * Sets the options of connections that will be accepted. On Linux they inherit them from the
   * listening socket: no call per connection, and no moment without them.
   */
  public void prepareAccepted(Bootstrap bootstrap, Transport transport) {
    bootstrap.attr(INHERITED, this);
    if (!transport.isNative()) {
      return;
    }
    bootstrap.option(LINGER, LINGER_ZERO.duplicate());
    bootstrap.option(NODELAY, noDelay ? 1 : 0);
    if (!keepAliveIdle.isZero()) {
      bootstrap.option(KEEPALIVE, 1);
      bootstrap.option(KEEPALIVE_IDLE, (int) keepAliveIdle.toSeconds());
      bootstrap.option(KEEPALIVE_INTERVAL, KEEP_ALIVE_INTERVAL_SECONDS);
      bootstrap.option(KEEPALIVE_PROBES, KEEP_ALIVE_PROBES);
    }
    if (congestionControl != null) {
      bootstrap.option(CONGESTION, name(congestionControl));
    }
  }

  /** Sets the options that an accepted connection has not inherited. */
  public void apply(Channel accepted, Transport transport) {
    if (!hasOptions(accepted)) {
      return;
    }
    ChannelConfig config = accepted.config();
    boolean inherits = transport.isNative() && accepted.parent() != null;
    SocketTuning inherited = inherits ? accepted.parent().attr(INHERITED).get() : null;
    if (inherited == null || inherited.noDelay != noDelay) {
      config.setOption(ChannelOption.TCP_NODELAY, noDelay);
    }
    if (inherited == null || !inherited.keepAliveIdle.equals(keepAliveIdle)) {
      keepAlive(config, transport.isNative());
    }
    String given = inherited == null ? null : inherited.congestionControl;
    String wanted = congestionControl;
    if (wanted == null && given != null) {
      wanted = KernelSettings.congestionControl();
    }
    if (wanted != null && !wanted.equals(given)) {
      choose(config, wanted);
    }
    pace(config);
  }

  private static boolean hasOptions(Channel channel) {
    return !(channel instanceof Connection connection) || connection.hasSocketOptions();
  }

  /**
   * Returns the controls that the kernel has and lets this process choose. That depends on its list
   * of allowed ones and on the process's privileges, so each is tried on a socket that is not
   * connected.
   */
  static List<String> acceptedCongestionControls(Transport transport) {
    List<String> available;
    try {
      available = List.of(Files.readString(AVAILABLE).strip().split("\\s+"));
    } catch (IOException e) {
      return List.of();
    }
    Channel socket =
        transport.newSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
    try {
      return available.stream().filter(name -> accepts(socket, name)).toList();
    } finally {
      socket.unsafe().closeForcibly();
    }
  }

  private static boolean accepts(Channel socket, String congestionControl) {
    try {
      choose(socket.config(), congestionControl);
      return congestionControl.equals(congestionControlOf(socket));
    } catch (ChannelException e) {
      return false;
    }
  }

  /**
   * The congestion control of a connection; null if the transport or the kernel does not provide
   * it.
   */
  public static @Nullable String congestionControlOf(Channel connection) {
    ByteBuffer name;
    try {
      name = connection.config().getOption((ChannelOption<ByteBuffer>) CONGESTION);
    } catch (ChannelException e) {
      return null; // closed meanwhile
    }
    if (name == null) {
      return null;
    }
    String text = StandardCharsets.US_ASCII.decode(name.duplicate()).toString();
    int end = text.indexOf('\0');
    return end < 0 ? text : text.substring(0, end);
  }

  private void keepAlive(ChannelConfig config, boolean isNative) {
    config.setOption(ChannelOption.SO_KEEPALIVE, !keepAliveIdle.isZero());
    // The JDK offers no other options.
    if (isNative && !keepAliveIdle.isZero()) {
      config.setOption(KEEPALIVE_IDLE, (int) keepAliveIdle.toSeconds());
      config.setOption(KEEPALIVE_INTERVAL, KEEP_ALIVE_INTERVAL_SECONDS);
      config.setOption(KEEPALIVE_PROBES, KEEP_ALIVE_PROBES);
    }
  }

  private void pace(ChannelConfig config) {
    if (pacingBytesPerSecond != null) {
      ByteBuffer rate = ByteBuffer.allocateDirect(Long.BYTES).order(ByteOrder.nativeOrder());
      config.setOption(
          (ChannelOption<ByteBuffer>) MAX_PACING_RATE, rate.putLong(pacingBytesPerSecond).clear());
    }
  }

  /**
   * Changes a connection's congestion control.
   *
   * @return false if the system refuses, or the connection has ended
   */
  public static boolean change(Channel connection, String congestionControl) {
    try {
      choose(connection.config(), congestionControl);
      return true;
    } catch (ChannelException e) {
      return false;
    }
  }

  private static void choose(ChannelConfig config, String congestionControl) {
    config.setOption((ChannelOption<ByteBuffer>) CONGESTION, name(congestionControl));
  }

  private static ByteBuffer name(String congestionControl) {
    ByteBuffer name = ByteBuffer.allocateDirect(CONGESTION_NAME_LENGTH);
    name.put(congestionControl.getBytes(StandardCharsets.US_ASCII)).clear();
    return name;
  }

  private static ByteBuffer lingerZero() {
    ByteBuffer linger = ByteBuffer.allocateDirect(LINGER_LENGTH).order(ByteOrder.nativeOrder());
    return linger.putInt(1).putInt(0).clear();
  }
}
