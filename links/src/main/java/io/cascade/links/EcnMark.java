package io.cascade.links;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Congestion mark in an IP packet (RFC 3168, section 5). */
final class EcnMark {
  private static final int IPV4_HEADER_BYTES = 20;
  private static final int IPV4_CHECKSUM_AT = 10;
  private static final int IPV4_ECN = 0x03;

  /** The field's position in the second octet of IPv6, whose traffic class is not aligned. */
  private static final int IPV6_ECN = 0x30;

  private EcnMark() {}

  /**
   * Sets CE in a packet whose sender supports it.
   *
   * @param packet a complete packet
   * @return false if its sender does not, or it is no IP packet; then the packet is unchanged
   */
  static boolean set(MemorySegment packet) {
    if (packet.byteSize() < IPV4_HEADER_BYTES) {
      return false;
    }
    int first = packet.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
    int second = packet.get(ValueLayout.JAVA_BYTE, 1) & 0xff;
    return switch (first >> 4) {
      case 4 -> setIn(packet, first, second, IPV4_ECN, true);
      case 6 -> setIn(packet, first, second, IPV6_ECN, false);
      default -> false;
    };
  }

  private static boolean setIn(
      MemorySegment packet, int first, int second, int field, boolean hasChecksum) {
    if ((second & field) == 0) {
      return false;
    }
    int marked = second | field;
    packet.set(ValueLayout.JAVA_BYTE, 1, (byte) marked);
    if (hasChecksum && marked != second) {
      int before =
          (packet.get(ValueLayout.JAVA_BYTE, IPV4_CHECKSUM_AT) & 0xff) << 8
              | (packet.get(ValueLayout.JAVA_BYTE, IPV4_CHECKSUM_AT + 1) & 0xff);
      // RFC 1624, equation 3.
      int sum = (~before & 0xffff) + (~(first << 8 | second) & 0xffff) + (first << 8 | marked);
      sum = (sum & 0xffff) + (sum >> 16);
      sum = (sum & 0xffff) + (sum >> 16);
      int after = ~sum & 0xffff;
      packet.set(ValueLayout.JAVA_BYTE, IPV4_CHECKSUM_AT, (byte) (after >> 8));
      packet.set(ValueLayout.JAVA_BYTE, IPV4_CHECKSUM_AT + 1, (byte) after);
    }
    return true;
  }
}
