package io.cascade.client.entries;

import io.cascade.command.Digests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.MessageDigest;
import java.util.HexFormat;

/** SHA-256 of the beginning of a file, read in steps. */
final class Sha256Sum {
  private static final int BUFFER_BYTES = 256 << 10;

  private final MessageDigest digest;
  private final ByteBuffer buffer;
  private final long bytes;
  private long at;

  /**
   * @param bytes of the file to digest
   */
  Sha256Sum(long bytes) {
    this.digest = Digests.sha256();
    this.bytes = bytes;
    this.buffer = ByteBuffer.allocate((int) Math.min(bytes, BUFFER_BYTES));
  }

  /** Bytes that are still to be read. */
  long left() {
    return bytes - at;
  }

  /**
   * Reads on.
   *
   * @return bytes that were read; fewer than {@code most} where none are left, or the file ended
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

  /** The digest of what was read, in hexadecimal. May be called once. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
