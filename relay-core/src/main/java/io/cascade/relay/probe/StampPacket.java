package io.cascade.relay.probe;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The two packets of STAMP in unauthenticated mode, 44 octets each.
 *
 * <pre>
 *  octets  test (RFC 8762, section 4.2.1)    answer (section 4.3.1)
 *  0-3     sequence number                   reflector's sequence number
 *  4-11    timestamp T1                      timestamp T3
 *  12-13   error estimate                    error estimate
 *  14-15   session (RFC 8972, section 3)     session
 *  16-23   zero                              timestamp T2 of receipt
 *  24-27   zero                              the test's sequence number
 *  28-35   zero                              the test's T1
 *  36-37   zero                              the test's error estimate
 *  38-39   zero                              zero
 *  40      zero                              the test's TTL
 *  41-43   zero                              zero
 * </pre>
 *
 * <p>A relay sends and reflects from one port, so the packet alone must show which of the two it
 * is: a test is zero from octet 16 on, and an answer is not, because no NTP timestamp is zero.
 */
sealed interface StampPacket {
  int LENGTH = 44;

  /**
   * The error estimate of this relay's clock (RFC 4656, section 4.1.2): not known to be
   * synchronised, NTP format, 1 × 2<sup>22-32</sup> s, about a millisecond. Round-trip times do not
   * depend on it.
   */
  short ERROR_ESTIMATE = 0x1601;

  /** Set in an error estimate whose timestamp is in PTP's format instead of NTP's. */
  int PTP_FORMAT = 0x4000;

  /** Parses the buffer's remaining octets; null if they are neither packet. */
  static @Nullable StampPacket parse(ByteBuffer packet) {
    if (packet.remaining() != LENGTH) {
      return null;
    }
    int start = packet.position();
    int sequence = packet.getInt(start);
    long timestamp = packet.getLong(start + 4);
    short errorEstimate = packet.getShort(start + 12);
    short session = packet.getShort(start + 14);
    if (timestamp == 0 || (errorEstimate & 0xFF) == 0) {
      return null; // RFC 4656: a multiplier of zero makes a packet invalid
    }
    long received = packet.getLong(start + 16);
    if (received == 0) {
      for (int at = start + 24; at < start + LENGTH; at++) {
        if (packet.get(at) != 0) {
          return null;
        }
      }
      return new Test(sequence, timestamp, errorEstimate, session);
    }
    return new Reflected(
        sequence,
        timestamp,
        errorEstimate,
        session,
        received,
        packet.getInt(start + 24),
        packet.getLong(start + 28),
        packet.getShort(start + 36));
  }

  /** Writes the packet's 44 octets into the buffer. */
  void writeTo(ByteBuffer target);

  /** A packet from a sender. */
  record Test(int sequence, long timestamp, short errorEstimate, short session)
      implements StampPacket {
    @Override
    public void writeTo(ByteBuffer target) {
      target.putInt(sequence).putLong(timestamp).putShort(errorEstimate).putShort(session);
      target.putLong(0).putLong(0).putLong(0).putInt(0);
    }
  }

  /** A packet that a reflector returns. */
  record Reflected(
      int sequence,
      long timestamp,
      short errorEstimate,
      short session,
      long receiveTimestamp,
      int testSequence,
      long testTimestamp,
      short testErrorEstimate)
      implements StampPacket {
    @Override
    public void writeTo(ByteBuffer target) {
      target.putInt(sequence).putLong(timestamp).putShort(errorEstimate).putShort(session);
      target.putLong(receiveTimestamp).putInt(testSequence).putLong(testTimestamp);
      // Zero: Java cannot read the TTL of a received packet.
      target.putShort(testErrorEstimate).putShort((short) 0).putInt(0);
    }

    /**
     * Nanoseconds for which the reflector held the packet; 0 if its format or clock does not show
     * that.
     */
    long dwellNanos() {
      boolean ntp = (errorEstimate & PTP_FORMAT) == 0;
      return ntp ? Math.max(0, NtpTimestamp.nanosBetween(receiveTimestamp, timestamp)) : 0;
    }
  }
}
