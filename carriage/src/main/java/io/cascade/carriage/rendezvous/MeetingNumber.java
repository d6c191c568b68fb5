package io.cascade.carriage.rendezvous;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The number by which a relay joins two ends. Both derive it from a secret that they share. It must
 * reveal nothing of the secret, and no other party may be able to guess it. Never printed.
 */
public final class MeetingNumber {
  /** Length in bytes. */
  public static final int BYTES = 32;

  private final byte[] bytes;

  private MeetingNumber(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Makes the number with these bytes.
   *
   * @throws IllegalArgumentException if they are not {@value #BYTES}
   */
  public static MeetingNumber of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException(
          "meeting number: " + bytes.length + " bytes (expected: " + BYTES + ")");
    }
    return new MeetingNumber(bytes.clone());
  }

  static MeetingNumber readFrom(ByteBuffer in) {
    byte[] read = new byte[BYTES];
    in.get(read);
    return new MeetingNumber(read);
  }

  void writeTo(ByteBuffer out) {
    out.put(bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MeetingNumber number && Arrays.equals(bytes, number.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  @Override
  public String toString() {
    return "meeting number";
  }
}
