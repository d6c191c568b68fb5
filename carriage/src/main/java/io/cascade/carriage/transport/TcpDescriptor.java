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

/** The kernel's number of a TCP socket, with Netty's system calls on it. */
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
   * Opens a socket that can connect to {@code address}, of its family. An IPv6 socket would accept
   * an IPv4 address as well, but every call would take longer in the kernel.
   *
   * @throws io.netty.channel.ChannelException if no descriptor is available
   */
  static TcpDescriptor to(SocketAddress address) {
    return new TcpDescriptor(newSocketStream0(!isIpv4(address)));
  }

  /**
   * Opens a socket that can listen at {@code address}; for all IPv4 addresses also at all IPv6
   * ones, if the machine has IPv6.
   *
   * @throws io.netty.channel.ChannelException if no descriptor is available
   */
  static TcpDescriptor at(SocketAddress address) {
    boolean all = isIpv4(address) && ((InetSocketAddress) address).getAddress().isAnyLocalAddress();
    return new TcpDescriptor(newSocketStream0(all ? isIPv6Preferred() : !isIpv4(address)));
  }

  /**
   * Begins to connect.
   *
   * @return whether the connection is already established
   * @throws ConnectionFailure if the kernel refuses at once
   */
  boolean beginConnect(SocketAddress to) throws IOException {
    try {
      return connect(to);
    } catch (NoRouteToHostException e) {
      // Either host or network. If refused at once, the machine's own routes lack the network.
      throw new ConnectionFailure(
          ConnectionError.NETWORK_UNREACHABLE, "no route to the network: " + text(to), e);
    } catch (ConnectException e) {
      throw new ConnectionFailure(refusal(e), ConnectionError.words(told(e)) + ": " + text(to), e);
    }
  }

  /**
   * Returns normally if a connect that epoll reports as finished has succeeded.
   *
   * @throws ConnectionFailure if there is no connection
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

  /** Netty does not expose the error number, but a text that contains it. */
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
