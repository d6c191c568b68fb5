package io.cascade.packets.offload;

import io.cascade.packets.header.InternetChecksum;

/**
 * Finishes what a device with offloads leaves to its reader: checksums, and the segmentation of
 * long TCP packets. Used by one thread.
 *
 * <p>Each segment has the headers of the long packet, with lengths, IPv4 identification, sequence
 * number and checksums of its own. FIN and PSH go with the last one, CWR with the first (RFC 3168,
 * section 6.1.2, asks for it once).
 */
public final class Segmenter {
  private static final int IPV4_BYTES = 20;
  private static final int IPV6_BYTES = 40;
  private static final int TCP_BYTES = 20;
  private static final int TCP_CHECKSUM = 16;
  private static final int TCP = 6;
  private static final int FIN_AND_PSH = 0x09;
  private static final int CWR = 0x80;
  private static final int IPV4_LENGTH_AT = 2;
  private static final int IPV4_ID_AT = 4;
  private static final int IPV4_PROTOCOL_AT = 9;
  private static final int IPV4_CHECKSUM_AT = 10;
  private static final int IPV4_ADDRESSES_AT = 12;
  private static final int IPV6_LENGTH_AT = 4;
  private static final int IPV6_ADDRESSES_AT = 8;

  private final byte[] segment;
  private long longPackets;
  private long segments;
  private long malformed;

  /** Receiver of finished packets. */
  @FunctionalInterface
  public interface Sink {
    /** Takes a packet; the bytes are used again after it has returned. */
    void packet(byte[] bytes, int length);
  }

  /**
   * Counts since the beginning.
   *
   * @param longPackets that were divided
   * @param segments that they were divided into
   * @param malformed packets that do not fit their offload header
   */
  public record Counts(long longPackets, long segments, long malformed) {
    public static final Counts NONE = new Counts(0, 0, 0);
  }

  /**
   * @param mostBytes longest packet with its headers
   */
  public Segmenter(int mostBytes) {
    segment = new byte[mostBytes];
  }

  public Counts counts() {
    return new Counts(longPackets, segments, malformed);
  }

  /**
   * Hands on the packets that a packet stands for; none where it is malformed, which is counted.
   *
   * @param bytes of an IP packet, which are changed
   */
  public void split(OffloadHeader header, byte[] bytes, int length, Sink sink) {
    switch (header.kind()) {
      case NONE -> {
        if (!header.needsChecksum()) {
          sink.packet(bytes, length);
        } else if (finishChecksum(header, bytes, length)) {
          sink.packet(bytes, length);
        } else {
          malformed++;
        }
      }
      case TCP_V4 -> segment(header, bytes, length, isTcp4(header, bytes, length), sink);
      case TCP_V6 -> segment(header, bytes, length, isTcp6(header, bytes, length), sink);
      case OTHER -> malformed++;
    }
  }

  /** Completes a checksum of which the field has the sum of the pseudo-header. */
  private static boolean finishChecksum(OffloadHeader header, byte[] bytes, int length) {
    int start = header.checksumStart();
    int field = start + header.checksumOffset();
    if (start > length || field + 2 > length) {
      return false;
    }
    int sum = InternetChecksum.of(InternetChecksum.sum(bytes, start, length, 0));
    // UDP means by 0 that there is none (RFC 768), and for others both are the same number.
    putShort(bytes, field, sum == 0 ? 0xffff : sum);
    return true;
  }

  private static boolean isTcp4(OffloadHeader header, byte[] bytes, int length) {
    return length >= IPV4_BYTES + TCP_BYTES
        && (bytes[0] & 0xff) >> 4 == 4
        && (bytes[0] & 0x0f) * 4 >= IPV4_BYTES
        && header.checksumStart() == (bytes[0] & 0x0f) * 4
        && bytes[IPV4_PROTOCOL_AT] == TCP;
  }

  /** Extension headers may lie before TCP. */
  private static boolean isTcp6(OffloadHeader header, byte[] bytes, int length) {
    return length >= IPV6_BYTES + TCP_BYTES
        && (bytes[0] & 0xff) >> 4 == 6
        && header.checksumStart() >= IPV6_BYTES;
  }

  private void segment(
      OffloadHeader header, byte[] bytes, int length, boolean isWellFormed, Sink sink) {
    int tcp = header.checksumStart();
    int size = header.segmentBytes();
    if (!isWellFormed
        || size == 0
        || tcp + TCP_BYTES > length
        || header.checksumOffset() != TCP_CHECKSUM) {
      malformed++;
      return;
    }
    int tcpBytes = ((bytes[tcp + 12] & 0xff) >> 4) * 4;
    int head = tcp + tcpBytes;
    if (tcpBytes < TCP_BYTES
        || head >= length
        || head + Math.min(size, length - head) > segment.length) {
      malformed++;
      return;
    }
    longPackets++;
    System.arraycopy(bytes, 0, segment, 0, head);
    boolean isIpv4 = header.kind() == OffloadHeader.Kind.TCP_V4;
    int sequence = getInt(bytes, tcp + 4);
    int flags = bytes[tcp + 13];
    int id = getShort(bytes, IPV4_ID_AT);
    int number = 0;
    for (int at = head; at < length; at += size) {
      int payload = Math.min(size, length - at);
      boolean isLast = at + payload == length;
      System.arraycopy(bytes, at, segment, head, payload);
      int end = head + payload;
      if (isIpv4) {
        putShort(segment, IPV4_LENGTH_AT, end);
        putShort(segment, IPV4_ID_AT, id + number);
        putShort(segment, IPV4_CHECKSUM_AT, 0);
        putShort(
            segment,
            IPV4_CHECKSUM_AT,
            InternetChecksum.of(InternetChecksum.sum(segment, 0, tcp, 0)));
      } else {
        putShort(segment, IPV6_LENGTH_AT, end - IPV6_BYTES);
      }
      putInt(segment, tcp + 4, sequence + (at - head));
      segment[tcp + 13] = (byte) (flags & ~(isLast ? 0 : FIN_AND_PSH) & ~(number == 0 ? 0 : CWR));
      putShort(segment, tcp + TCP_CHECKSUM, 0);
      int addresses = isIpv4 ? IPV4_ADDRESSES_AT : IPV6_ADDRESSES_AT;
      int addressBytes = isIpv4 ? 8 : 32;
      long pseudo =
          InternetChecksum.sum(
              segment, addresses, addresses + addressBytes, TCP + (long) (end - tcp));
      putShort(
          segment,
          tcp + TCP_CHECKSUM,
          InternetChecksum.of(InternetChecksum.sum(segment, tcp, end, pseudo)));
      number++;
      segments++;
      sink.packet(segment, end);
    }
  }

  private static int getShort(byte[] bytes, int at) {
    return (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
  }

  private static int getInt(byte[] bytes, int at) {
    return getShort(bytes, at) << 16 | getShort(bytes, at + 2);
  }

  private static void putShort(byte[] bytes, int at, int value) {
    bytes[at] = (byte) (value >> 8);
    bytes[at + 1] = (byte) value;
  }

  private static void putInt(byte[] bytes, int at, int value) {
    putShort(bytes, at, value >> 16);
    putShort(bytes, at + 2, value);
  }
}
