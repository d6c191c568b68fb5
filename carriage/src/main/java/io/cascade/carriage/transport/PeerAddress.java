package io.cascade.carriage.transport;

import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetSocketAddress;

/**
 * The one sender whose datagrams a socket accepts. Filtering by {@code connect(2)} is not enough if
 * sockets share the port: the kernel gives a bound socket a share of all senders' datagrams, and a
 * datagram assigned to the socket before the connect may be queued after it.
 */
final class PeerAddress {
  /** An IPv4 address as an IPv6 socket represents it (RFC 4291 §2.5.5.2). */
  private static final byte[] MAPPED = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

  private final MemorySegment address;
  private final int port;

  PeerAddress(InetSocketAddress peer) {
    byte[] bytes = peer.getAddress().getAddress();
    byte[] wide = new byte[DatagramLayout.WIDE_ADDRESS_BYTES];
    if (peer.getAddress() instanceof Inet4Address) {
      System.arraycopy(MAPPED, 0, wide, 0, MAPPED.length);
    }
    System.arraycopy(bytes, 0, wide, wide.length - bytes.length, bytes.length);
    this.address = MemorySegment.ofArray(wide);
    this.port = peer.getPort();
  }

  /**
   * Whether a datagram came from this peer.
   *
   * @param sender {@code struct sockaddr_in} or {@code sockaddr_in6}
   */
  boolean isOf(MemorySegment sender) {
    return DatagramLayout.port(sender) == port && hasAddress(DatagramLayout.address(sender));
  }

  /** An IPv4 socket has no IPv6 peers, so there the last four bytes decide. */
  private boolean hasAddress(MemorySegment sender) {
    long skipped = address.byteSize() - sender.byteSize();
    return MemorySegment.mismatch(
            address, skipped, address.byteSize(), sender, 0, sender.byteSize())
        == -1;
  }
}
