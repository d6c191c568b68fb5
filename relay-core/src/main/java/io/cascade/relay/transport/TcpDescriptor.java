package io.cascade.relay.transport;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The kernel's number of a TCP socket, and Netty's system calls on it. */
final class TcpDescriptor extends Socket {
  static {
    Epoll.ensureAvailability(); // loads the library that makes these calls
  }

  TcpDescriptor(int number) {
    super(number);
  }

  /**
   * One that can connect to {@code address}: of its family, for one of IPv6 would take an address
   * of IPv4 as well, and the kernel a longer way at every call.
   *
   * @throws io.netty.channel.ChannelException when there is none
   */
  static TcpDescriptor to(SocketAddress address) {
    return new TcpDescriptor(newSocketStream0(!isIpv4(address)));
  }

  /**
   * One that can listen at {@code address}; where those are all of IPv4, also at all of IPv6, if
   * the machine has it.
   *
   * @throws io.netty.channel.ChannelException when there is none
   */
  static TcpDescriptor at(SocketAddress address) {
    boolean all = isIpv4(address) && ((InetSocketAddress) address).getAddress().isAnyLocalAddress();
    return new TcpDescriptor(newSocketStream0(all ? isIPv6Preferred() : !isIpv4(address)));
  }

  private static boolean isIpv4(SocketAddress address) {
    return address instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet4Address;
  }
}
