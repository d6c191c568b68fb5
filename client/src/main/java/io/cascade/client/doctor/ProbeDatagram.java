package io.cascade.client.doctor;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Datagram between two doctors. An answer has the size of its probe, so that forged source
 * addresses gain no amplification.
 *
 * <pre>
 *  0  8  {@code cascade?}, in an answer {@code cascade!}
 *  8  4  number
 * 12  8  time of day of the datagram's sender, in ms since 1970
 * 20  …  zeros
 * </pre>
 *
 * @param bytes its size, at least {@value #LEAST_BYTES}
 */
record ProbeDatagram(boolean answer, int number, long epochMillis, int bytes) {
  static final int LEAST_BYTES = 20;
  private static final byte[] QUESTION = "cascade?".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ANSWER = "cascade!".getBytes(StandardCharsets.US_ASCII);

  ByteBuffer encode() {
    ByteBuffer out = ByteBuffer.allocate(bytes);
    out.put(answer ? ANSWER : QUESTION).putInt(number).putLong(epochMillis);
    return out.clear();
  }

  /** Reads a received datagram; empty for anything but a probe or an answer. */
  static Optional<ProbeDatagram> decode(ByteBuffer in) {
    int bytes = in.remaining();
    if (bytes < LEAST_BYTES) {
      return Optional.empty();
    }
    byte[] kind = new byte[QUESTION.length];
    in.get(kind);
    boolean answer = java.util.Arrays.equals(kind, ANSWER);
    return answer || java.util.Arrays.equals(kind, QUESTION)
        ? Optional.of(new ProbeDatagram(answer, in.getInt(), in.getLong(), bytes))
        : Optional.empty();
  }
}
