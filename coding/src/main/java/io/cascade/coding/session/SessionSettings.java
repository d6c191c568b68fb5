package io.cascade.coding.session;

import io.cascade.coding.wire.AckFrame;
import io.cascade.coding.wire.PacketHeader;
import io.cascade.coding.wire.RepairHeader;

/**
 * Settings on which both ends of a session have agreed.
 *
 * @param localConnectionId that the peer writes into its datagrams
 * @param remoteConnectionId that this end writes into its datagrams
 * @param contentBytes most bytes of a symbol's content, 16 to 9,000
 * @param windowSymbols most outstanding symbols, a power of two from 512 to 65,536; three times
 *     that, times the content, is the memory of a session
 * @param silenceNanos time without any datagram, while something is outstanding, after which the
 *     session is abandoned
 * @param seed of the random numbers
 */
public record SessionSettings(
    int localConnectionId,
    int remoteConnectionId,
    int contentBytes,
    int windowSymbols,
    long silenceNanos,
    long seed) {
  /**
   * Content of a symbol whose longest repair makes a packet of 1,500 bytes over IPv4: 28 bytes of
   * IP and UDP headers, 7 and 12 of its own headers, 2 of the length, 16 of the authenticator.
   */
  public static final int USUAL_CONTENT_BYTES = 1_435;

  public static final long USUAL_SILENCE_NANOS = 90_000_000_000L;

  public SessionSettings {
    if (contentBytes < 16 || contentBytes > 9_000) {
      throw new IllegalArgumentException(
          "content: " + contentBytes + " bytes (expected: 16 to 9000)");
    }
    if (windowSymbols < 512 || windowSymbols > 1 << 16 || Integer.bitCount(windowSymbols) != 1) {
      throw new IllegalArgumentException(
          "window: " + windowSymbols + " symbols (expected: a power of two, 512 to 65536)");
    }
  }

  /** Bytes of a coded symbol: its length field, content and zeros. */
  int symbolBytes() {
    return 2 + contentBytes;
  }

  /** Length of a repair, the longest usual packet. */
  public int repairBytes() {
    return PacketHeader.USUAL_BYTES + RepairHeader.MOST_BYTES + symbolBytes();
  }

  /** Longest datagram of the session. */
  public int datagramBytes() {
    return Math.max(
        PacketHeader.USUAL_BYTES + 2 + RepairHeader.MOST_BYTES + symbolBytes(),
        PacketHeader.USUAL_BYTES + 2 + AckFrame.MOST_BYTES + 16);
  }
}
