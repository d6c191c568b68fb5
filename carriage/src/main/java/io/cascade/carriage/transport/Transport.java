package io.cascade.carriage.transport;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.JdkLoggerFactory;
import java.net.SocketAddress;
import java.util.Locale;

/**
 * Drivers of sockets. Epoll gives access to TCP options and descriptors that the JDK does not
 * expose.
 */
public enum Transport {
  EPOLL {
    @Override
    public boolean available() {
      return Epoll.isAvailable();
    }

    @Override
    public IoHandlerFactory newIoHandlerFactory() {
      return BatchedEpoll.newFactory();
    }

    @Override
    public Connection newSocket(SocketAddress to) {
      return EpollConnection.to(to);
    }

    @Override
    public Channel newListener(SocketAddress at, int backlog) {
      return EpollListener.at(at, backlog);
    }
  },
  NIO {
    @Override
    public boolean available() {
      return true;
    }

    @Override
    public IoHandlerFactory newIoHandlerFactory() {
      return NioIoHandler.newFactory();
    }

    @Override
    public Connection newSocket(SocketAddress to) {
      return new NioConnection();
    }

    @Override
    public Channel newListener(SocketAddress at, int backlog) {
      NioListener listener = new NioListener();
      listener.config().setBacklog(backlog);
      return listener;
    }
  };

  static {
    // Before Netty's first use: a relay logs through the JDK, whatever else is on the class path.
    InternalLoggerFactory.setDefaultFactory(JdkLoggerFactory.INSTANCE);
  }

  /** Whether this machine supports it. */
  public abstract boolean available();

  public abstract IoHandlerFactory newIoHandlerFactory();

  /**
   * Makes a socket that can connect to {@code to}, and is not registered with an event loop yet.
   */
  public abstract Connection newSocket(SocketAddress to);

  /**
   * Makes a socket that can listen at {@code at}; its pipeline receives the accepted connections.
   */
  public abstract Channel newListener(SocketAddress at, int backlog);

  /** Makes an epoll listener of a socket that another process has opened. */
  public static Channel listening(int descriptor) {
    return EpollListener.of(descriptor);
  }

  /**
   * Whether sockets are the kernel's descriptors, which can be spliced and handed over, and whose
   * TCP options can be read and set.
   */
  public boolean isNative() {
    return this != NIO;
  }

  /** The best one that this machine supports: epoll before NIO. */
  public static Transport best() {
    return EPOLL.available() ? EPOLL : NIO;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
