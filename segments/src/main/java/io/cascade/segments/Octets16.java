package io.cascade.segments;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Sixteen octets: a stream's identifier, a nonce or an authenticator. */
public record Octets16(long high, long low) {
  static final int BYTES = 16;

  public static Octets16 random(SecureRandom random) {
    return new Octets16(random.nextLong(), random.nextLong());
  }

  static Octets16 read(ByteBuffer from) {
    return new Octets16(from.getLong(), from.getLong());
  }

  void write(ByteBuffer to) {
    to.putLong(high).putLong(low);
  }

  /** Compares in a time that does not depend on the values. */
  public boolean matches(Octets16 other) {
    return ((high ^ other.high) | (low ^ other.low)) == 0;
  }
}
