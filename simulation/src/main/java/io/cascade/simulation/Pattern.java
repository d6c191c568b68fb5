package io.cascade.simulation;

import java.nio.ByteBuffer;

/** A stream of bytes that can be checked from any offset on: byte i depends on i alone. */
public final class Pattern {
  private Pattern() {}

  /** The byte at an offset. */
  public static byte at(long offset) {
    long mixed = (offset + 1) * 0x9e3779b97f4a7c15L;
    return (byte) (mixed >>> 40);
  }

  /** Fills the rest of a buffer with the stream from an offset on. */
  public static void fill(ByteBuffer into, long offset) {
    for (long i = offset; into.hasRemaining(); i++) {
      into.put(at(i));
    }
  }

  /**
   * Compares the rest of a buffer with the stream.
   *
   * @throws IllegalStateException at the first byte that differs
   */
  public static void check(ByteBuffer bytes, long offset) {
    for (long i = offset; bytes.hasRemaining(); i++) {
      byte found = bytes.get();
      if (found != at(i)) {
        throw new IllegalStateException("byte %d: %d instead of %d".formatted(i, found, at(i)));
      }
    }
  }
}
