package io.cascade.relay.probe;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the packets of one train: STAMP in authenticated mode, made as long as a full
 * data packet by an Extra Padding TLV.
 *
 * <pre>
 *  octets  test (RFC 8762, section 4.2.2)     answer (section 4.3.2)
 *  0-3     sequence number                    reflector's sequence number
 *  4-15    zero                               zero
 *  16-23   timestamp T1                       timestamp T3
 *  24-25   error estimate                     error estimate
 *  26-27   session (RFC 8972, section 3)      session
 *  28-31   zero                               zero
 *  32-39   zero                               timestamp T2 of receipt
 *  40-47   zero                               zero
 *  48-51   zero                               the test's sequence number
 *  52-63   zero                               zero
 *  64-71   zero                               the test's T1
 *  72-73   zero                               the test's error estimate
 *  74-95   zero                               zero, the test's TTL among them
 *  96-111  HMAC-SHA-256 of octets 0 to 95, its first 16 octets
 *  112-115 Extra Padding TLV (RFC 8972, section 4.1): flags, type 1, length
 *  116-    padding
 * </pre>
 *
 * <p>Extra Padding is the only TLV of a packet, so no HMAC TLV is needed (RFC 8972, section 4.8).
 * The padding is the same in every packet and not compressible. Not thread-safe: each thread has
 * its own.
 */
public final class TrainCodec {
  /** Length of a packet without padding. */
  public static final int LEAST_BYTES = 116;

  /** UDP payload that fills an IPv4 packet of 1,500 octets. */
  public static final int MOST_BYTES = 1_472;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int SIGNED_BYTES = 96;
  private static final int TAG_BYTES = 16;
  private static final int SESSION_AT = 26;
  private static final byte UNRECOGNISED = (byte) 0x80;
  private static final byte EXTRA_PADDING = 1;

  private final Mac mac;
  private final short session;
  private final byte[] padding;
  private final byte[] signed = new byte[SIGNED_BYTES];
  private final byte[] tag = new byte[TAG_BYTES];

  /**
   * @param key of this train only
   * @param session STAMP's session identifier
   * @param padding at least as many octets as the longest packet needs
   */
  public TrainCodec(byte[] key, short session, byte[] padding) {
    if (padding.length < MOST_BYTES - LEAST_BYTES) {
      throw new IllegalArgumentException("padding: " + padding.length + " octets are too few");
    }
    this.session = session;
    this.padding = padding.clone();
    try {
      mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is part of every JDK", e);
    }
  }

  /**
   * Converts a time to the format of packets: NTP's, but with an arbitrary origin. A train needs
   * only differences, and a monotonic clock measures them correctly.
   *
   * @param nanos of a monotonic clock
   */
  public static long timestamp(long nanos) {
    return NtpTimestamp.of(Instant.EPOCH.plusNanos(nanos));
  }

  /** Whether a datagram may belong to a train of this session; only its authenticator proves it. */
  public boolean mayBeOurs(ByteBuffer datagram) {
    int length = datagram.remaining();
    return length >= LEAST_BYTES
        && length <= MOST_BYTES
        && datagram.getShort(datagram.position() + SESSION_AT) == session;
  }

  /**
   * Writes a packet into the buffer.
   *
   * @param length of the packet, {@value #LEAST_BYTES} to {@value #MOST_BYTES} octets
   */
  public void write(TrainPacket packet, ByteBuffer target, int length) {
    if (length < LEAST_BYTES || length > MOST_BYTES) {
      throw new IllegalArgumentException(
          length + " octets (expected: " + LEAST_BYTES + " to " + MOST_BYTES + ")");
    }
    Arrays.fill(signed, (byte) 0);
    ByteBuffer base = ByteBuffer.wrap(signed);
    base.putInt(0, packet.sequence());
    base.putShort(24, StampPacket.ERROR_ESTIMATE).putShort(SESSION_AT, session);
    switch (packet) {
      case TrainPacket.Test test -> base.putLong(16, test.timestamp());
      case TrainPacket.Reflected answer ->
          base.putLong(16, answer.timestamp())
              .putLong(32, answer.receiveTimestamp())
              .putInt(48, answer.testSequence())
              .putLong(64, answer.testTimestamp())
              .putShort(72, StampPacket.ERROR_ESTIMATE);
    }
    int padded = length - LEAST_BYTES;
    byte flags = packet instanceof TrainPacket.Test ? UNRECOGNISED : 0;
    target.put(signed).put(mac.doFinal(signed), 0, TAG_BYTES);
    target.put(flags).put(EXTRA_PADDING).putShort((short) padded).put(padding, 0, padded);
  }

  /** Parses the remaining octets; null if they are no packet of this train. */
  public @Nullable TrainPacket read(ByteBuffer datagram) {
    if (!mayBeOurs(datagram)) {
      return null;
    }
    int start = datagram.position();
    datagram.get(start, signed).get(start + SIGNED_BYTES, tag);
    if (!MessageDigest.isEqual(tag, Arrays.copyOf(mac.doFinal(signed), TAG_BYTES))) {
      return null;
    }
    int padded = datagram.remaining() - LEAST_BYTES;
    if (datagram.get(start + 113) != EXTRA_PADDING
        || Short.toUnsignedInt(datagram.getShort(start + 114)) != padded) {
      return null;
    }
    ByteBuffer base = ByteBuffer.wrap(signed);
    long received = base.getLong(32);
    return received == 0
        ? new TrainPacket.Test(base.getInt(0), base.getLong(16))
        : new TrainPacket.Reflected(
            base.getInt(0), base.getLong(16), received, base.getInt(48), base.getLong(64));
  }
}
