package io.cascade.relay.transport;

import io.netty.bootstrap.AbstractBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.uring.IoUringChannelOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The TCP options of a stream's connections.
 *
 * @param congestionControl such as {@code cubic}; null leaves the system's default
 * @param noDelay TCP_NODELAY
 * @param keepAliveIdle idle time before keep-alive probes; zero turns them off
 */
public record SocketTuning(
    @Nullable String congestionControl, boolean noDelay, Duration keepAliveIdle) {
  private static final int KEEP_ALIVE_INTERVAL_SECONDS = 5;
  private static final int KEEP_ALIVE_PROBES = 3;
  private static final int CONGESTION_NAME_LENGTH = 16;
  private static final RawUnixChannelOption CONGESTION =
      new RawUnixChannelOption("TCP_CONGESTION", 6, 13, CONGESTION_NAME_LENGTH);
  private static final Path ALLOWED = Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control");
  private static final Path AVAILABLE =
      Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");

  /** For connections before their chain is known. */
  public static SocketTuning defaults() {
    return new SocketTuning(null, true, Duration.ofSeconds(15));
  }

  /** Sets what a connection to be opened shall have. */
  public void prepare(AbstractBootstrap<?, ?> bootstrap, Transport transport) {
    options(transport, new BootstrapOptions(bootstrap));
  }

  /** Sets the options of an open connection. */
  public void apply(Channel channel, Transport transport) {
    ChannelConfig config = channel.config();
    options(transport, new OpenOptions(config));
  }

  /** The names that a chain may ask for on this machine. */
  public static List<String> congestionControls() {
    Path list = canReadAll() ? AVAILABLE : ALLOWED;
    try {
      return List.of(Files.readString(list).strip().split("\\s+"));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** The system's default, or null where it cannot be told. */
  public static @Nullable String defaultCongestionControl() {
    try {
      return Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control")).strip();
    } catch (IOException e) {
      return null;
    }
  }

  /** CAP_NET_ADMIN may use every loaded algorithm, others the allowed ones. */
  private static boolean canReadAll() {
    return "root".equals(System.getProperty("user.name"));
  }

  private void options(Transport transport, Options options) {
    options.set(ChannelOption.TCP_NODELAY, noDelay);
    options.set(ChannelOption.SO_KEEPALIVE, !keepAliveIdle.isZero());
    switch (transport) {
      case EPOLL ->
          nativeOptions(
              options,
              EpollChannelOption.TCP_KEEPIDLE,
              EpollChannelOption.TCP_KEEPINTVL,
              EpollChannelOption.TCP_KEEPCNT);
      case IO_URING ->
          nativeOptions(
              options,
              IoUringChannelOption.TCP_KEEPIDLE,
              IoUringChannelOption.TCP_KEEPINTVL,
              IoUringChannelOption.TCP_KEEPCNT);
      case NIO -> {
        // The JDK chooses no congestion control; installing a part that asks for one is refused.
      }
    }
  }

  private void nativeOptions(
      Options options,
      ChannelOption<Integer> idle,
      ChannelOption<Integer> interval,
      ChannelOption<Integer> probes) {
    if (!keepAliveIdle.isZero()) {
      options.set(idle, (int) keepAliveIdle.toSeconds());
      options.set(interval, KEEP_ALIVE_INTERVAL_SECONDS);
      options.set(probes, KEEP_ALIVE_PROBES);
    }
    if (congestionControl != null) {
      ByteBuffer name = ByteBuffer.allocateDirect(CONGESTION_NAME_LENGTH);
      name.put(congestionControl.getBytes(StandardCharsets.US_ASCII)).clear();
      options.set(CONGESTION, name);
    }
  }

  /** Where options are set: on what will be opened, or on what is open. */
  private interface Options {
    <T> void set(ChannelOption<T> option, T value);
  }

  private record BootstrapOptions(AbstractBootstrap<?, ?> bootstrap) implements Options {
    @Override
    public <T> void set(ChannelOption<T> option, T value) {
      bootstrap.option(option, value);
    }
  }

  private record OpenOptions(ChannelConfig config) implements Options {
    @Override
    public <T> void set(ChannelOption<T> option, T value) {
      config.setOption(option, value);
    }
  }
}
