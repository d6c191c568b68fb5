package io.cascade.model.tcp;

import io.cascade.model.units.Require;

/**
 * Headers around the payload of a full packet.
 *
 * <pre>
 * MSS   = MTU − 20 (IPv4, RFC 791) − 20 (TCP, RFC 9293) − 12 (timestamps, RFC 7323)     bytes
 * share = MSS / (MTU + link overhead)
 * </pre>
 *
 * <p>Ethernet (IEEE 802.3) adds 38 bytes: header 14, checksum 4, preamble 8, gap 12. IPv6 takes 20
 * bytes more of the packet, which an MTU of 1480 and 58 bytes of link overhead represent.
 *
 * <p>Worked values: a 1500-byte packet over Ethernet carries 1448 B of payload in 1538 B of wire
 * time with timestamps, a share of 0.9415; without them 1460 B, 0.9493.
 *
 * @param mtuBytes largest IP packet
 * @param timestamps whether the TCP timestamp option (RFC 7323, 12 bytes with padding) is on every
 *     packet
 * @param linkOverheadBytes wire time per packet beyond the IP packet, in bytes
 */
public record Framing(int mtuBytes, boolean timestamps, int linkOverheadBytes) {

  private static final int IP_AND_TCP_HEADERS = 40;
  private static final int TIMESTAMP_OPTION = 12;
  private static final int ETHERNET =
      14 + 4 + 8 + 12; // header, checksum, preamble, gap between frames

  /** 1500-byte packets with timestamps over Ethernet: 1448 bytes of payload. */
  public static final Framing ETHERNET_1500 = new Framing(1500, true, ETHERNET);

  /** Checks the sizes. */
  public Framing {
    Require.atLeast("mtuBytes", mtuBytes, IP_AND_TCP_HEADERS + TIMESTAMP_OPTION + 1L);
    Require.atLeast("linkOverheadBytes", linkOverheadBytes, 0);
  }

  /** Packets of another size, otherwise the same. */
  public Framing withMtu(int bytes) {
    return new Framing(bytes, timestamps, linkOverheadBytes);
  }

  /** Payload of a full packet, in bytes. */
  public int mssBytes() {
    return mtuBytes - IP_AND_TCP_HEADERS - (timestamps ? TIMESTAMP_OPTION : 0);
  }

  /** The share of a link's capacity that can be payload. */
  public double payloadShare() {
    return (double) mssBytes() / (mtuBytes + linkOverheadBytes);
  }
}
