package io.cascade.relay.transport;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Locale;

/**
 * How sockets are driven. Epoll reaches options of TCP, and descriptors, that the JDK keeps hidden.
 */
public enum Transport {
  EPOLL(EpollServerSocketChannel.class) {
    @Override
    public boolean available() {
      return Epoll.isAvailable();
    }

    @Override
    public IoHandlerFactory newIoHandlerFactory() {
      return SteadyEpoll.newFactory();
    }

    @Override
    public SocketChannel newSocket(SocketAddress to) {
      boolean ipv4 =
          to instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet4Address;
      return ipv4 ? new EpollSocketChannel(SocketProtocolFamily.INET) : new EpollSocketChannel();
    }
  },
  NIO(NioServerSocketChannel.class) {
    @Override
    public boolean available() {
      return true;
    }

    @Override
    public IoHandlerFactory newIoHandlerFactory() {
      return NioIoHandler.newFactory();
    }

    @Override
    public SocketChannel newSocket(SocketAddress to) {
      return new NioSocketChannel();
    }
  };

  static {
    // Before Netty's first use: a relay logs through the JDK, whatever else is on the class path.
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
  }

  private final Class<? extends ServerSocketChannel> server;

  Transport(Class<? extends ServerSocketChannel> server) {
    this.server = server;
  }

  /** Whether this machine offers it. */
  public abstract boolean available();

  public abstract IoHandlerFactory newIoHandlerFactory();

  /** A socket that can connect to {@code to}, and is not yet on an event loop. */
  public abstract SocketChannel newSocket(SocketAddress to);

  public Class<? extends ServerSocketChannel> serverChannel() {
    return server;
  }

  /**
   * Whether sockets are the kernel's descriptors, which can be spliced and handed over, and whose
   * options of TCP can be read and set.
   */
  public boolean isNative() {
    return this != NIO;
  }

  /** The best that this machine offers: epoll before NIO. */
  public static Transport best() {
    return EPOLL.available() ? EPOLL : NIO;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
