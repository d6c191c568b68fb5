package io.cascade.packets.offload;

import io.cascade.packets.header.InternetChecksum;
import java.nio.ByteBuffer;

/**
 * Completes what a device with offloads leaves to its reader: checksums, and the segmentation of
 * long TCP packets. Used by one thread.
 *
 * <p>Each segment has the headers of the long packet, with its own lengths, IPv4 identification,
 * sequence number and checksums. The last one has FIN and PSH, the first one CWR (RFC 3168, section
 * 6.1.2, requires it once).
 */
public final class Segmenter {
  private static final int IPV4_BYTES = 20;
  private static final int IPV6_BYTES = 40;
  private static final int TCP_BYTES = 20;
  private static final int TCP_SEQUENCE_AT = 4;
  private static final int TCP_LENGTH_AT = 12;
  private static final int TCP_FLAGS_AT = 13;
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

  /** Receiver of complete packets. */
  @FunctionalInterface
  public interface Sink {
    /** Takes a packet; the bytes are reused after the call returns. */
    void packet(byte[] bytes, int length);
  }

  /**
   * Counts since the beginning.
   *
   * @param longPackets that were divided
   * @param segments that they were divided into
   * @param malformed packets that do not match their offload header
   */
  public record Counts(long longPackets, long segments, long malformed) {
    public static final Counts NONE = new Counts(0, 0, 0);
  }

  /**
   * @param mostBytes longest packet, including its headers
   */
  public Segmenter(int mostBytes) {
    segment = new byte[mostBytes];
  }

  public Counts counts() {
    return new Counts(longPackets, segments, malformed);
  }

  /**
   * Passes on the packets that result from a packet; none if it is malformed, which is counted.
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

  /** Completes a checksum whose field contains the sum of the pseudo-header. */
  private static boolean finishChecksum(OffloadHeader header, byte[] bytes, int length) {
    int start = header.checksumStart();
    int field = start + header.checksumOffset();
    if (start > length || field + 2 > length) {
      return false;
    }
    int sum = InternetChecksum.of(InternetChecksum.sum(bytes, start, length, 0));
    // In UDP, 0 means no checksum (RFC 768); for other protocols both values are equal.
    ByteBuffer.wrap(bytes).putShort(field, (short) (sum == 0 ? 0xffff : sum));
    return true;
  }

  private static boolean isTcp4(OffloadHeader header, byte[] bytes, int length) {
    return length >= IPV4_BYTES + TCP_BYTES
        && (bytes[0] & 0xff) >> 4 == 4
        && (bytes[0] & 0x0f) * 4 >= IPV4_BYTES
        && header.checksumStart() == (bytes[0] & 0x0f) * 4
        && bytes[IPV4_PROTOCOL_AT] == TCP;
  }

  /** Extension headers may precede TCP. */
  private static boolean isTcp6(OffloadHeader header, byte[] bytes, int length) {
    return length >= IPV6_BYTES + TCP_BYTES
        && (bytes[0] & 0xff) >> 4 == 6
        && header.checksumStart() >= IPV6_BYTES;
  }

  private void segment(OffloadHeader header, byte[] bytes, int length, boolean isTcp, Sink sink) {
    int head = isTcp ? headBytes(header, bytes, length) : 0;
    if (head == 0) {
      malformed++;
      return;
    }
    longPackets++;
    System.arraycopy(bytes, 0, segment, 0, head);
    ByteBuffer of = ByteBuffer.wrap(bytes);
    int number = 0;
    for (int at = head; at < length; at += header.segmentBytes()) {
      int payload = Math.min(header.segmentBytes(), length - at);
      System.arraycopy(bytes, at, segment, head, payload);
      finishIp(header, of, number, head + payload);
      finishTcp(header, of, at - head, head + payload, at + payload == length);
      number++;
      segments++;
      sink.packet(segment, head + payload);
    }
  }

  /** Length of all headers; 0 if they are incomplete, or a segment would be too long. */
  private int headBytes(OffloadHeader header, byte[] bytes, int length) {
    int tcp = header.checksumStart();
    if (header.segmentBytes() == 0
        || tcp + TCP_BYTES > length
        || header.checksumOffset() != TCP_CHECKSUM) {
      return 0;
    }
    int tcpBytes = ((bytes[tcp + TCP_LENGTH_AT] & 0xff) >> 4) * 4;
    int head = tcp + tcpBytes;
    boolean fits =
        tcpBytes >= TCP_BYTES
            && head < length
            && head + Math.min(header.segmentBytes(), length - head) <= segment.length;
    return fits ? head : 0;
  }

  private void finishIp(OffloadHeader header, ByteBuffer of, int number, int end) {
    ByteBuffer fields = ByteBuffer.wrap(segment);
    if (header.kind() == OffloadHeader.Kind.TCP_V6) {
      fields.putShort(IPV6_LENGTH_AT, (short) (end - IPV6_BYTES));
      return;
    }
    fields.putShort(IPV4_LENGTH_AT, (short) end);
    fields.putShort(IPV4_ID_AT, (short) (of.getShort(IPV4_ID_AT) + number));
    fields.putShort(IPV4_CHECKSUM_AT, (short) 0);
    long sum = InternetChecksum.sum(segment, 0, header.checksumStart(), 0);
    fields.putShort(IPV4_CHECKSUM_AT, (short) InternetChecksum.of(sum));
  }

  /**
   * @param offset of the segment in the long packet's payload
   */
  private void finishTcp(OffloadHeader header, ByteBuffer of, int offset, int end, boolean isLast) {
    int tcp = header.checksumStart();
    ByteBuffer fields = ByteBuffer.wrap(segment);
    fields.putInt(tcp + TCP_SEQUENCE_AT, of.getInt(tcp + TCP_SEQUENCE_AT) + offset);
    int without = (isLast ? 0 : FIN_AND_PSH) | (offset == 0 ? 0 : CWR);
    segment[tcp + TCP_FLAGS_AT] = (byte) (of.get(tcp + TCP_FLAGS_AT) & ~without);
    fields.putShort(tcp + TCP_CHECKSUM, (short) 0);
    boolean isIpv4 = header.kind() == OffloadHeader.Kind.TCP_V4;
    int addresses = isIpv4 ? IPV4_ADDRESSES_AT : IPV6_ADDRESSES_AT;
    int behind = addresses + (isIpv4 ? 8 : 32);
    long pseudo = InternetChecksum.sum(segment, addresses, behind, TCP + (long) (end - tcp));
    long sum = InternetChecksum.sum(segment, tcp, end, pseudo);
    fields.putShort(tcp + TCP_CHECKSUM, (short) InternetChecksum.of(sum));
  }
}
