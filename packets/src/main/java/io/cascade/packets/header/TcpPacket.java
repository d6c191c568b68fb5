package io.cascade.packets.header;

/**
 * A complete IPv4 or IPv6 packet with a TCP segment (RFC 9293). Its bytes do not change; {@link
 * TcpRewrite} makes changed copies.
 */
public final class TcpPacket implements Packet {
  static final int LEAST_HEADER = 20;

  private static final int FIN = 0x01;
  private static final int SYN = 0x02;
  private static final int RST = 0x04;
  private static final int ACK = 0x10;

  private final byte[] bytes;
  private final int tcp;
  private final int payload;

  /**
   * @param tcp where the TCP header begins; the caller has checked that it fits
   */
  TcpPacket(byte[] bytes, int tcp) {
    this.bytes = bytes;
    this.tcp = tcp;
    this.payload = tcp + ((bytes[tcp + 12] >>> 4) & 0xf) * 4;
  }

  @Override
  public byte[] bytes() {
    return bytes;
  }

  public IpAddress source() {
    return isV4() ? IpAddress.v4(bytes, 12) : IpAddress.v6(bytes, 8);
  }

  public IpAddress destination() {
    return isV4() ? IpAddress.v4(bytes, 16) : IpAddress.v6(bytes, 24);
  }

  public int sourcePort() {
    return word(tcp);
  }

  public int destinationPort() {
    return word(tcp + 2);
  }

  /** Sequence number of the first octet of the payload, or of the SYN. */
  public int sequence() {
    return (word(tcp + 4) << 16) | word(tcp + 6);
  }

  /** Sequence number after the last octet; SYN and FIN count as one each. */
  public int endSequence() {
    return sequence() + payloadLength() + (syn() ? 1 : 0) + (fin() ? 1 : 0);
  }

  public int acknowledgment() {
    return (word(tcp + 8) << 16) | word(tcp + 10);
  }

  public boolean fin() {
    return flag(FIN);
  }

  public boolean syn() {
    return flag(SYN);
  }

  public boolean rst() {
    return flag(RST);
  }

  public boolean ack() {
    return flag(ACK);
  }

  /** Whether it only acknowledges: no payload, and no flag but ACK. */
  public boolean isPureAck() {
    return payloadLength() == 0 && ack() && !flag(SYN | FIN | RST);
  }

  /** The value in the header, unscaled. */
  public int window() {
    return word(tcp + 14);
  }

  public int payloadLength() {
    return bytes.length - payload;
  }

  public TcpOptions options() {
    return new TcpOptions(bytes, tcp + LEAST_HEADER, payload);
  }

  /** Whether the checksums of TCP and, for IPv4, of the IP header are correct. */
  public boolean checksumsHold() {
    return InternetChecksum.of(InternetChecksum.sum(bytes, tcp, bytes.length, pseudoHeader())) == 0
        && (!isV4() || InternetChecksum.of(InternetChecksum.sum(bytes, 0, tcp, 0)) == 0);
  }

  /**
   * Sum over the pseudo-header. The destination of an IPv6 packet with a routing header is not its
   * final one; the checksum of such a packet is not accepted here.
   */
  private long pseudoHeader() {
    int from = isV4() ? 12 : 8;
    long addresses = InternetChecksum.sum(bytes, from, isV4() ? 20 : 40, 0);
    return addresses + 6 + (bytes.length - tcp);
  }

  private boolean isV4() {
    return ((bytes[0] >>> 4) & 0xf) == 4;
  }

  private boolean flag(int mask) {
    return (bytes[tcp + 13] & mask) != 0;
  }

  private int word(int at) {
    return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
  }

  int tcpOffset() {
    return tcp;
  }

  @Override
  public String toString() {
    return "%s:%d > %s:%d seq %d length %d ack %d"
        .formatted(
            source(),
            sourcePort(),
            destination(),
            destinationPort(),
            Integer.toUnsignedLong(sequence()),
            payloadLength(),
            Integer.toUnsignedLong(acknowledgment()));
  }
}
