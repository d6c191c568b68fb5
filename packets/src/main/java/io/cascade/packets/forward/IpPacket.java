package io.cascade.packets.forward;

import io.cascade.packets.header.InternetChecksum;
import io.cascade.packets.header.IpAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A complete IPv4 (RFC 791) or IPv6 (RFC 8200) packet that passes a router, which changes its hop
 * limit and may mark it. Its lengths, and the header checksum of IPv4, were verified.
 */
public final class IpPacket {
  private static final int V4_HEADER = 20;
  private static final int V6_HEADER = 40;
  private static final int ECN_MASK = 3;
  private static final int CONGESTION_EXPERIENCED = 3;
  private static final int TCP = 6;
  private static final int UDP = 17;
  private static final int V6_FRAGMENT = 44;

  private final byte[] bytes;
  private final boolean isV4;
  private final int header;

  private IpPacket(byte[] bytes, boolean isV4, int header) {
    this.bytes = bytes;
    this.isV4 = isV4;
    this.header = header;
  }

  /**
   * Copies the packet out of a buffer, without bytes after its end.
   *
   * @return null if a router must drop it: an incomplete header, contradictory lengths, a wrong
   *     checksum, or a source that is invalid or equal to the destination (the land attack)
   */
  public static @Nullable IpPacket read(byte[] buffer, int length) {
    IpPacket packet =
        switch (length < 1 ? 0 : (buffer[0] >>> 4) & 0xf) {
          case 4 -> readV4(buffer, length);
          case 6 -> readV6(buffer, length);
          default -> null;
        };
    return packet != null && packet.hasPlausibleAddresses() ? packet : null;
  }

  private static @Nullable IpPacket readV4(byte[] buffer, int length) {
    int header = length < V4_HEADER ? 0 : (buffer[0] & 0xf) * 4;
    if (header < V4_HEADER) {
      return null;
    }
    int total = word(buffer, 2);
    if (total < header
        || total > length
        || InternetChecksum.of(InternetChecksum.sum(buffer, 0, header, 0)) != 0) {
      return null;
    }
    return new IpPacket(Arrays.copyOf(buffer, total), true, header);
  }

  private static @Nullable IpPacket readV6(byte[] buffer, int length) {
    int total = length < V6_HEADER ? length + 1 : V6_HEADER + word(buffer, 4);
    return total > length ? null : new IpPacket(Arrays.copyOf(buffer, total), false, V6_HEADER);
  }

  private boolean hasPlausibleAddresses() {
    IpAddress source = source();
    if (source.equals(destination())) {
      return false;
    }
    if (isV4) {
      int first = bytes[12] & 0xff;
      return first != 0 && first != 127 && first < 224;
    }
    boolean isUnspecifiedOrLoopback = source.high() == 0 && (source.low() & ~1L) == 0;
    return bytes[8] != (byte) 0xff && !isUnspecifiedOrLoopback;
  }

  /** The packet in its present state, not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return bytes.length;
  }

  public boolean isV4() {
    return isV4;
  }

  int headerLength() {
    return header;
  }

  public IpAddress source() {
    return address(isV4 ? 12 : 8);
  }

  public IpAddress destination() {
    return address(isV4 ? 16 : 24);
  }

  private IpAddress address(int at) {
    return IpAddress.of(Arrays.copyOfRange(bytes, at, at + (isV4 ? 4 : 16)));
  }

  /** Whether its destination is one host, and not a multicast or broadcast address. */
  public boolean isUnicast() {
    return isV4 ? (bytes[16] & 0xff) < 224 : bytes[24] != (byte) 0xff;
  }

  /** Time to live, or hop limit. */
  public int hopLimit() {
    return bytes[isV4 ? 8 : 7] & 0xff;
  }

  /** Decrements the hop limit, which must be above 1. */
  public void countHop() {
    if (isV4) {
      setWord(8, word(bytes, 8) - 0x100);
    } else {
      bytes[7]--;
    }
  }

  /** Whether a router must answer instead of fragmenting it. */
  public boolean mustNotBeFragmented() {
    return !isV4 || (bytes[6] & 0x40) != 0;
  }

  /**
   * Returns its fragments (RFC 791); only if it is longer than the MTU, and not {@link
   * #mustNotBeFragmented}.
   */
  public List<IpPacket> fragments(int mtu) {
    return Fragments.of(this, mtu);
  }

  /** Whether its ends support congestion marks (RFC 3168). */
  public boolean isEcnCapable() {
    return ecn() != 0;
  }

  private int ecn() {
    return (isV4 ? bytes[1] : bytes[1] >>> 4) & ECN_MASK;
  }

  /** Sets the congestion mark; only if {@link #isEcnCapable}. */
  public void markCongestion() {
    if (isV4) {
      setWord(0, word(bytes, 0) | CONGESTION_EXPERIENCED);
    } else {
      bytes[1] |= (byte) (CONGESTION_EXPERIENCED << 4);
    }
  }

  /** The protocol after the IP header; for IPv6, extension headers count as one. */
  public int protocol() {
    return bytes[isV4 ? 9 : 6] & 0xff;
  }

  /** Whether it is a fragment other than the first. */
  boolean isLaterFragment() {
    if (isV4) {
      return (word(bytes, 6) & 0x1fff) != 0;
    }
    return protocol() == V6_FRAGMENT
        && bytes.length >= V6_HEADER + 8
        && (word(bytes, V6_HEADER + 2) & 0xfff8) != 0;
  }

  private boolean isFragment() {
    return isV4 ? (word(bytes, 6) & 0x3fff) != 0 : protocol() == V6_FRAGMENT;
  }

  /**
   * Returns a number that packets of one flow share: of the addresses, the protocol, and the ports
   * of TCP and UDP. All fragments between two hosts are one flow.
   *
   * @param seed keeps outsiders from choosing flows that collide
   */
  public int flowHash(long seed) {
    IpAddress source = source();
    IpAddress destination = destination();
    long hash = mix(seed ^ source.high());
    hash = mix(hash ^ source.low());
    hash = mix(hash ^ destination.high());
    hash = mix(hash ^ destination.low());
    boolean hasPorts =
        !isFragment() && (protocol() == TCP || protocol() == UDP) && bytes.length >= header + 4;
    long ports = hasPorts ? ((long) word(bytes, header) << 16) | word(bytes, header + 2) : 0;
    return (int) (mix(hash ^ (ports << 8) ^ protocol()) >>> 32);
  }

  /** The finalizer of SplitMix64. */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  private void setWord(int at, int value) {
    int checksum = InternetChecksum.updated(word(bytes, 10), word(bytes, at), value & 0xffff);
    bytes[at] = (byte) (value >>> 8);
    bytes[at + 1] = (byte) value;
    bytes[10] = (byte) (checksum >>> 8);
    bytes[11] = (byte) checksum;
  }

  static int word(byte[] bytes, int at) {
    return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
  }
}
