package io.cascade.carriage.transport;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout.OfShort;
import java.nio.ByteOrder;

/**
 * {@code struct mmsghdr} with its sender's address, {@code iovec} and control messages, as Linux
 * lays them out with 64-bit pointers (recvmmsg(2), ip(7), ipv6(7), cmsg(3), udp(7), socket(7)).
 */
final class DatagramLayout {
  static final int MESSAGE_BYTES = 64;
  static final int PART_BYTES = 16;

  /** Room for {@code struct sockaddr_in6}, the longer of the two. */
  static final int NAME_BYTES = 28;

  static final int WIDE_ADDRESS_BYTES = 16;

  /** Room for a time and a segment size, each with its header and padding. */
  static final int CONTROL_BYTES = 64;

  static final int SOL_SOCKET = 1;
  static final int SO_TIMESTAMPNS = 35;
  static final int SOL_UDP = 17;
  static final int UDP_SEGMENT = 103;
  static final int UDP_GRO = 104;
  static final int SOL_IP = 0;
  static final int IP_MTU_DISCOVER = 10;
  static final int SOL_IPV6 = 41;
  static final int IPV6_MTU_DISCOVER = 23;
  static final int PMTUDISC_PROBE = 3;

  private static final OfShort NETWORK_SHORT = JAVA_SHORT.withOrder(ByteOrder.BIG_ENDIAN);
  private static final short AF_INET = 2;
  private static final int NAME_PORT = 2;
  private static final int IPV4_ADDRESS = 4;
  private static final int IPV6_ADDRESS = 8;
  private static final int NAME = 0;
  private static final int NAME_LENGTH = 8;
  private static final int PARTS = 16;
  private static final int PART_COUNT = 24;
  private static final int CONTROL = 32;
  private static final int CONTROL_LENGTH = 40;
  private static final int FLAGS = 48;
  private static final int LENGTH = 56;
  private static final int CONTROL_HEADER_BYTES = 16;
  private static final int ALIGNMENT = 8;
  private static final int MSG_TRUNC = 0x20;

  private DatagramLayout() {}

  /**
   * Makes the kernel store the sender of a message; {@link #nameLength} must be set before each
   * call.
   */
  static void name(MemorySegment message, MemorySegment sender) {
    message.set(ADDRESS, NAME, sender);
  }

  static void nameLength(MemorySegment message, int length) {
    message.set(JAVA_INT, NAME_LENGTH, length);
  }

  /** Port of a {@code struct sockaddr_in} or {@code sockaddr_in6}. */
  static int port(MemorySegment name) {
    return Short.toUnsignedInt(name.get(NETWORK_SHORT, NAME_PORT));
  }

  /** Address of a {@code struct sockaddr_in} or {@code sockaddr_in6}: 4 or 16 bytes. */
  static MemorySegment address(MemorySegment name) {
    return name.get(JAVA_SHORT, 0) == AF_INET
        ? name.asSlice(IPV4_ADDRESS, Integer.BYTES)
        : name.asSlice(IPV6_ADDRESS, WIDE_ADDRESS_BYTES);
  }

  /** Links a message with its single part and its control messages. */
  static void link(MemorySegment message, MemorySegment part, MemorySegment control) {
    message.set(ADDRESS, PARTS, part);
    message.set(JAVA_LONG, PART_COUNT, 1);
    message.set(ADDRESS, CONTROL, control);
  }

  static void part(MemorySegment part, MemorySegment bytes, long length) {
    part.set(ADDRESS, 0, bytes);
    part.set(JAVA_LONG, Long.BYTES, length);
  }

  static void controlLength(MemorySegment message, long length) {
    message.set(JAVA_LONG, CONTROL_LENGTH, length);
  }

  static long controlLength(MemorySegment message) {
    return message.get(JAVA_LONG, CONTROL_LENGTH);
  }

  static int length(MemorySegment message) {
    return message.get(JAVA_INT, LENGTH);
  }

  static boolean isTruncated(MemorySegment message) {
    return (message.get(JAVA_INT, FLAGS) & MSG_TRUNC) != 0;
  }

  /**
   * Makes the kernel segment a message into datagrams.
   *
   * @return the length of the control messages
   */
  static long segment(MemorySegment control, int bytes) {
    control.set(JAVA_LONG, 0, CONTROL_HEADER_BYTES + Short.BYTES);
    control.set(JAVA_INT, 8, SOL_UDP);
    control.set(JAVA_INT, 12, UDP_SEGMENT);
    control.set(JAVA_SHORT, CONTROL_HEADER_BYTES, (short) bytes);
    return CONTROL_HEADER_BYTES + ALIGNMENT;
  }

  /**
   * Offset of the data of a control message.
   *
   * @return −1 if there is none
   */
  static long find(MemorySegment control, long length, int level, int type) {
    long at = 0;
    while (at + CONTROL_HEADER_BYTES <= length) {
      long bytes = control.get(JAVA_LONG, at);
      if (bytes < CONTROL_HEADER_BYTES) {
        return -1;
      }
      if (control.get(JAVA_INT, at + 8) == level && control.get(JAVA_INT, at + 12) == type) {
        return at + CONTROL_HEADER_BYTES;
      }
      at += (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
    return -1;
  }
}
