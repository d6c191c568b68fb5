package io.cascade.relay.transport;

import io.netty.channel.unix.Socket;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/** The kernel's number of a TCP socket, and Netty's system calls on it. */
final class TcpDescriptor extends Socket {
  TcpDescriptor(int number) {
    super(number);
  }

  /**
   * A new socket of the family of {@code address}: one for IPv6 would take an IPv4 address as well,
   * and the kernel take a longer way at every call.
   *
   * @throws io.netty.channel.ChannelException when there is none
   */
  static TcpDescriptor open(SocketAddress address) {
    boolean ipv4 =
        address instanceof InetSocketAddress inet && inet.getAddress() instanceof Inet4Address;
    return new TcpDescriptor(newSocketStream0(!ipv4));
  }
}
