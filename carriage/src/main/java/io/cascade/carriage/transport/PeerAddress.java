package io.cascade.carriage.transport;

import java.lang.foreign.MemorySegment;
import java.net.Inet4Address;
import java.net.InetSocketAddress;

/**
 * The one sender whose datagrams a socket takes. The kernel's own choice by {@code connect(2)} is
 * not enough where others share the port: it gives a bound socket a share of what anybody sends,
 * and a datagram for which it has chosen the socket before the connect may be queued after it.
 */
final class PeerAddress {
  /** An IPv4 address as a socket of IPv6 has it (RFC 4291 §2.5.5.2). */
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
   * Whether a datagram came from here.
   *
   * @param sender {@code struct sockaddr_in} or {@code sockaddr_in6}
   */
  boolean isOf(MemorySegment sender) {
    return DatagramLayout.port(sender) == port && hasAddress(DatagramLayout.address(sender));
  }

  /** A socket of IPv4 has no peers of IPv6, so that there the last four bytes decide. */
  private boolean hasAddress(MemorySegment sender) {
    long skipped = address.byteSize() - sender.byteSize();
    return MemorySegment.mismatch(
            address, skipped, address.byteSize(), sender, 0, sender.byteSize())
        == -1;
  }
}
