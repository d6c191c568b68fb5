package io.cascade.packets.forward;

import io.cascade.packets.header.InternetChecksum;
import io.cascade.packets.header.IpAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A router's answers to the source of a packet that it does not forward: ICMP (RFC 792, RFC 1812
 * section 4.3) and ICMPv6 (RFC 4443). No answer is sent to an error, to a fragment other than the
 * first, or to a multicast or broadcast packet.
 */
public final class IcmpError {
  private static final int ICMP = 1;
  private static final int ICMP_V6 = 58;
  private static final int HOPS = 64;
  private static final int V4_HEADER = 20;
  private static final int V6_HEADER = 40;
  private static final int ICMP_HEADER = 8;

  /** Most bytes quoted of the answered packet (RFC 1812 section 4.3.2.3, RFC 4443 section 2.4). */
  private static final int MOST_V4_QUOTED = 576 - V4_HEADER - ICMP_HEADER;

  private static final int MOST_V6_QUOTED = 1_280 - V6_HEADER - ICMP_HEADER;

  private IcmpError() {}

  /**
   * Packet that an error answers, as far as the error quotes it.
   *
   * @param source to which the error is sent
   */
  record Answered(IpAddress source, IpAddress destination) {}

  /** Returns the packet that an error answers; null if the packet is no error. */
  static @Nullable Answered answered(IpPacket packet) {
    int quoted = packet.headerLength() + ICMP_HEADER;
    int header = packet.isV4() ? V4_HEADER : V6_HEADER;
    byte[] bytes = packet.bytes();
    if (packet.isLaterFragment()
        || !isError(packet)
        || packet.length() < quoted + header
        || bytes[quoted] >>> 4 != bytes[0] >>> 4) {
      return null;
    }
    int length = packet.isV4() ? 4 : 16;
    int source = quoted + (packet.isV4() ? 12 : 8);
    int destination = source + length;
    return new Answered(
        IpAddress.of(Arrays.copyOfRange(bytes, source, destination)),
        IpAddress.of(Arrays.copyOfRange(bytes, destination, destination + length)));
  }

  /**
   * Makes a "time exceeded" answer: the packet's hop limit is used up.
   *
   * @param from the router's address, of the packet's version
   */
  public static byte @Nullable [] timeExceeded(IpPacket packet, IpAddress from) {
    return packet.isV4() ? error(packet, from, 11, 0, 0) : error(packet, from, 3, 0, 0);
  }

  /**
   * Makes an answer to a packet that is longer than the next link's MTU: "fragmentation needed"
   * (RFC 1191), or "packet too big".
   *
   * @param mtu of the next link
   */
  public static byte @Nullable [] tooBig(IpPacket packet, IpAddress from, int mtu) {
    return packet.isV4() ? error(packet, from, 3, 4, mtu) : error(packet, from, 2, 0, mtu);
  }

  /** Makes an answer to a packet without a route to its destination. */
  public static byte @Nullable [] noRoute(IpPacket packet, IpAddress from) {
    return packet.isV4() ? error(packet, from, 3, 0, 0) : error(packet, from, 1, 0, 0);
  }

  /**
   * Makes an answer to a packet whose link towards its destination is down: "host unreachable",
   * "address unreachable".
   */
  public static byte @Nullable [] hostUnreachable(IpPacket packet, IpAddress from) {
    return packet.isV4() ? error(packet, from, 3, 1, 0) : error(packet, from, 1, 3, 0);
  }

  private static byte @Nullable [] error(
      IpPacket packet, IpAddress from, int type, int code, int rest) {
    if (packet.isLaterFragment()
        || !packet.isUnicast()
        || isError(packet)
        || (from.bits() == IpAddress.V4_BITS) != packet.isV4()) {
      return null;
    }
    return packet.isV4() ? v4(packet, from, type, code, rest) : v6(packet, from, type, code, rest);
  }

  private static boolean isError(IpPacket packet) {
    int at = packet.headerLength();
    int type = at < packet.length() ? packet.bytes()[at] & 0xff : 0;
    return packet.isV4()
        ? packet.protocol() == ICMP && type != 0 && type != 8
        : packet.protocol() == ICMP_V6 && type < 128;
  }

  private static byte[] v4(IpPacket packet, IpAddress from, int type, int code, int rest) {
    int quoted = Math.min(packet.length(), MOST_V4_QUOTED);
    ByteBuffer answer = ByteBuffer.allocate(V4_HEADER + ICMP_HEADER + quoted);
    answer.put((byte) 0x45).put((byte) 0xc0).putShort((short) answer.capacity());
    answer.putInt(0).put((byte) HOPS).put((byte) ICMP).putShort((short) 0);
    answer.put(from.bytes()).put(packet.source().bytes());
    icmp(answer, packet, quoted, type, code, rest);
    byte[] bytes = answer.array();
    checksum(bytes, 0, V4_HEADER, 0, 10);
    checksum(bytes, V4_HEADER, bytes.length, 0, V4_HEADER + 2);
    return bytes;
  }

  private static byte[] v6(IpPacket packet, IpAddress from, int type, int code, int rest) {
    int quoted = Math.min(packet.length(), MOST_V6_QUOTED);
    int payload = ICMP_HEADER + quoted;
    ByteBuffer answer = ByteBuffer.allocate(V6_HEADER + payload);
    answer.putInt(0x6000_0000).putShort((short) payload).put((byte) ICMP_V6).put((byte) HOPS);
    answer.put(from.bytes()).put(packet.source().bytes());
    icmp(answer, packet, quoted, type, code, rest);
    byte[] bytes = answer.array();
    long pseudoHeader = InternetChecksum.sum(bytes, 8, V6_HEADER, 0) + payload + ICMP_V6;
    checksum(bytes, V6_HEADER, bytes.length, pseudoHeader, V6_HEADER + 2);
    return bytes;
  }

  private static void icmp(
      ByteBuffer answer, IpPacket packet, int quoted, int type, int code, int rest) {
    answer.put((byte) type).put((byte) code).putShort((short) 0).putInt(rest);
    answer.put(packet.bytes(), 0, quoted);
  }

  private static void checksum(byte[] bytes, int from, int to, long sum, int at) {
    int checksum = InternetChecksum.of(InternetChecksum.sum(bytes, from, to, sum));
    bytes[at] = (byte) (checksum >>> 8);
    bytes[at + 1] = (byte) checksum;
  }
}
