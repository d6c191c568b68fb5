package io.cascade.studies.coded;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * The bytes of a bulk stream, which a receiver can verify from any offset on at the speed of a
 * comparison. They are random bytes that repeat after a prime number of bytes, so that no two
 * blocks of a usual size are equal.
 */
final class BulkBytes {
  private static final int PERIOD = 65_521;
  private static final int MOST = 1 << 16;

  private final ByteBuffer bytes = ByteBuffer.allocate(PERIOD + MOST);

  BulkBytes() {
    byte[] random = new byte[PERIOD];
    new SplittableRandom(1).nextBytes(random);
    while (bytes.hasRemaining()) {
      bytes.put(random, 0, Math.min(PERIOD, bytes.remaining()));
    }
    bytes.clear();
  }

  /** The stream from an offset on, some tens of KiB of it. */
  ByteBuffer from(long offset) {
    int at = (int) (offset % PERIOD);
    return bytes.slice(at, MOST);
  }

  /** Whether the remaining bytes of a buffer are those of the stream from an offset on. */
  boolean matches(ByteBuffer found, long offset) {
    for (long at = offset; found.hasRemaining(); ) {
      int length = Math.min(found.remaining(), MOST);
      ByteBuffer part = found.slice(found.position(), length);
      if (part.mismatch(from(at).limit(length)) >= 0) {
        return false;
      }
      found.position(found.position() + length);
      at += length;
    }
    return true;
  }
}
