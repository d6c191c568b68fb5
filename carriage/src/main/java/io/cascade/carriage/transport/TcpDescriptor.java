package io.cascade.carriage.transport;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Errors.NativeIoException;
import io.netty.channel.unix.Socket;
import io.netty.util.NetUtil;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;

/** The kernel's number of a TCP socket, and Netty's system calls on it. */
final class TcpDescriptor extends Socket {
  static {
    Epoll.ensureAvailability(); // loads the library that makes these calls
  }

  /** Error numbers of Linux's connect(2) that have a {@link ConnectionError} of their own. */
  private static final int[] CONNECT_ERRORS = {110, 111};

  TcpDescriptor(int number) {
    super(number);
  }

  /**
   * Opens one that can connect to {@code address}: of its family, for one of IPv6 would take an
   * address of IPv4 as well, and the kernel a longer way at every call.
   *
   * @throws io.netty.channel.ChannelException when there is none
   */
  static TcpDescriptor to(SocketAddress address) {
    return new TcpDescriptor(newSocketStream0(!isIpv4(address)));
  }

  /**
   * Opens one that can listen at {@code address}; where those are all of IPv4, also at all of IPv6,
   * if the machine has it.
   *
   * @throws io.netty.channel.ChannelException when there is none
   */
  static TcpDescriptor at(SocketAddress address) {
    boolean all = isIpv4(address) && ((InetSocketAddress) address).getAddress().isAnyLocalAddress();
    return new TcpDescriptor(newSocketStream0(all ? isIPv6Preferred() : !isIpv4(address)));
  }

  /**
   * Begins to connect.
   *
   * @return whether the connection stands already
   * @throws ConnectionFailure what the kernel says at once
   */
  boolean beginConnect(SocketAddress to) throws IOException {
    try {
      return connect(to);
    } catch (NoRouteToHostException e) {
      // Either host or network. At once it is the machine's own routes that lack the network.
      throw new ConnectionFailure(
          ConnectionError.NETWORK_UNREACHABLE, "no route to the network: " + text(to), e);
    } catch (ConnectException e) {
      throw new ConnectionFailure(refusal(e), ConnectionError.words(told(e)) + ": " + text(to), e);
    }
  }

  /**
   * Asks how a connect has gone that epoll reports to be over.
   *
   * @throws ConnectionFailure where there is no connection
   */
  void endConnect(SocketAddress to) throws IOException {
    int errno = getSoError();
    if (errno != 0) {
      IOException told = new NativeIoException("connect", -errno);
      throw new ConnectionFailure(
          ConnectionError.of(errno), ConnectionError.words(told) + ": " + text(to));
    }
  }

  private static ConnectionError refusal(ConnectException failure) {
    return told(failure) instanceof NativeIoException known
        ? ConnectionError.of(known)
        : ConnectionError.OTHER;
  }

  /** Netty keeps the error number to itself, but not the text that it makes of it. */
  private static IOException told(ConnectException failure) {
    for (int errno : CONNECT_ERRORS) {
      NativeIoException known = new NativeIoException("connect", -errno);
      if (String.valueOf(failure.getMessage()).equals(known.getMessage())) {
        return known;
      }
    }
    return new IOException(failure.getMessage(), failure);
  }

  private static String text(SocketAddress address) {
    return address instanceof InetSocketAddress inet && inet.getAddress() != null
        ? NetUtil.toSocketAddressString(inet)
        : address.toString();
  }

  private static boolean isIpv4(SocketAddress address) {
    return address instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet4Address;
  }
}
