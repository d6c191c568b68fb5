package io.cascade.client.entries;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of the beginning of a file, read in steps. */
final class Sha256Sum {
  private static final int BUFFER_BYTES = 256 << 10;

  private final MessageDigest digest;
  private final ByteBuffer buffer;
  private final long bytes;
  private long at;

  /**
   * @param bytes of the file
   */
  Sha256Sum(long bytes) {
    this.digest = newDigest();
    this.bytes = bytes;
    this.buffer = ByteBuffer.allocate((int) Math.min(bytes, BUFFER_BYTES));
  }

  private static MessageDigest newDigest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every Java has it.
    }
  }

  /** The digest of a text, in hexadecimal. */
  static String of(String text) {
    return HexFormat.of().formatHex(newDigest().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** Bytes that were not read yet. */
  long left() {
    return bytes - at;
  }

  /**
   * Reads on.
   *
   * @return bytes that were read; less than {@code most} where none are left, or the file ended
   */
  int read(FileChannel file, int most) throws IOException {
    int done = 0;
    while (done < most && left() > 0) {
      buffer.clear().limit((int) Math.min(Math.min(buffer.capacity(), most - done), left()));
      int read = file.read(buffer, at);
      if (read <= 0) {
        break;
      }
      digest.update(buffer.flip());
      at += read;
      done += read;
    }
    return done;
  }

  /** Once: the digest of what was read, in hexadecimal. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
