package io.cascade.packets.header;

import io.cascade.packets.header.OtherPacket.Why;
import java.util.Arrays;

/**
 * Finds the TCP header of IPv4 (RFC 791) and IPv6 (RFC 8200) packets. Returns a result for any
 * bytes and throws no exception: lengths are checked before anything is read.
 */
public final class PacketParser {
  private static final int V4_HEADER = 20;
  private static final int V6_HEADER = 40;
  private static final int TCP = 6;
  private static final int HOP_BY_HOP = 0;
  private static final int ROUTING = 43;
  private static final int FRAGMENT = 44;
  private static final int DESTINATION_OPTIONS = 60;

  /** Bound on the number of headers: more than any host sends. */
  private static final int MOST_EXTENSION_HEADERS = 8;

  private PacketParser() {}

  /** Copies the packet out of a buffer, without bytes after the length in its IP header. */
  public static Packet parse(byte[] buffer, int length) {
    if (length < 1) {
      return new OtherPacket(new byte[0], Why.NO_IP_HEADER);
    }
    return switch ((buffer[0] >>> 4) & 0xf) {
      case 4 -> parseV4(buffer, length);
      case 6 -> parseV6(buffer, length);
      default -> other(buffer, length, Why.NO_IP_HEADER);
    };
  }

  private static Packet parseV4(byte[] buffer, int length) {
    int header = length < V4_HEADER ? 0 : (buffer[0] & 0xf) * 4;
    if (header < V4_HEADER) {
      return other(buffer, length, Why.NO_IP_HEADER);
    }
    int total = word(buffer, 2);
    if (total < header) {
      return other(buffer, length, Why.NO_IP_HEADER);
    }
    if (total > length) {
      return other(buffer, length, Why.TRUNCATED);
    }
    if ((word(buffer, 6) & 0x3fff) != 0) { // An offset, or more fragments follow.
      return other(buffer, total, Why.FRAGMENT);
    }
    return buffer[9] == TCP ? tcp(buffer, header, total) : other(buffer, total, Why.NOT_TCP);
  }

  private static Packet parseV6(byte[] buffer, int length) {
    if (length < V6_HEADER) {
      return other(buffer, length, Why.NO_IP_HEADER);
    }
    int total = V6_HEADER + word(buffer, 4);
    if (total > length) {
      return other(buffer, length, Why.TRUNCATED);
    }
    int at = V6_HEADER;
    int next = buffer[6] & 0xff;
    for (int i = 0; i <= MOST_EXTENSION_HEADERS; i++) {
      switch (next) {
        case TCP -> {
          return tcp(buffer, at, total);
        }
        case FRAGMENT -> {
          return other(buffer, total, Why.FRAGMENT);
        }
        case HOP_BY_HOP, ROUTING, DESTINATION_OPTIONS -> {
          if (at + 8 > total) {
            return other(buffer, total, Why.NOT_TCP);
          }
          next = buffer[at] & 0xff;
          at += 8 + 8 * (buffer[at + 1] & 0xff);
        }
        default -> {
          return other(buffer, total, Why.NOT_TCP);
        }
      }
    }
    return other(buffer, total, Why.NOT_TCP);
  }

  private static Packet tcp(byte[] buffer, int at, int total) {
    if (at + TcpPacket.LEAST_HEADER > total) {
      return other(buffer, total, Why.BAD_TCP_HEADER);
    }
    int header = ((buffer[at + 12] >>> 4) & 0xf) * 4;
    if (header < TcpPacket.LEAST_HEADER || at + header > total) {
      return other(buffer, total, Why.BAD_TCP_HEADER);
    }
    return new TcpPacket(Arrays.copyOf(buffer, total), at);
  }

  private static OtherPacket other(byte[] buffer, int length, Why why) {
    return new OtherPacket(Arrays.copyOf(buffer, length), why);
  }

  private static int word(byte[] bytes, int at) {
    return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
  }
}
