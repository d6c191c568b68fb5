package io.cascade.client.transfer.content;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.zip.CRC32C;

/** Zeros of holes, without memory for them. */
public final class Zeros {
  private static final byte[] SOME = new byte[64 * 1024];

  private Zeros() {}

  /** Adds so many zeros to a digest. */
  static void digest(MessageDigest digest, long count) {
    for (long left = count; left > 0; left -= SOME.length) {
      digest.update(SOME, 0, (int) Math.min(left, SOME.length));
    }
  }

  /** The CRC-32C of so many zeros. */
  public static int crc(long count) {
    CRC32C crc = new CRC32C();
    for (long left = count; left > 0; left -= SOME.length) {
      crc.update(SOME, 0, (int) Math.min(left, SOME.length));
    }
    return (int) crc.getValue();
  }

  /** Puts so many zeros into a buffer. */
  public static void put(ByteBuffer into, int count) {
    for (int left = count; left > 0; left -= SOME.length) {
      into.put(SOME, 0, Math.min(left, SOME.length));
    }
  }
}
