package io.cascade.lab.soak;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Random;

/**
 * First message of a visitor: how much it sends, how much it requests, and how the host is to
 * behave.
 *
 * @param seed of the contents of both directions
 */
record Request(Kind kind, long seed, long upload, long download) {
  private static final int BYTES = 32;
  private static final int BLOCK_BYTES = 64 * 1_024;

  /** Kind of exchange on a connection. */
  enum Kind {
    /** Everything up, its digest and everything down. */
    TRANSFER(1),
    /** The same, with a visitor that reads slowly. */
    SLOW_READER(2),
    /** Messages of 64 bytes in both directions alternately. */
    CONVERSATION(3),
    /** A message, silence, a message. */
    IDLE(4),
    /** The visitor resets in the middle of its announced bytes. */
    RESET_BY_VISITOR(5),
    /** The host resets in the middle of the announced bytes. */
    RESET_BY_HOST(6);

    private final long code;

    Kind(long code) {
      this.code = code;
    }

    private static Kind of(long code) throws IOException {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IOException("no kind of request: " + code);
    }
  }

  byte[] encoded() {
    return ByteBuffer.allocate(BYTES)
        .putLong(kind.code)
        .putLong(seed)
        .putLong(upload)
        .putLong(download)
        .array();
  }

  /**
   * @throws EOFException when the connection ends before
   */
  static Request read(InputStream from) throws IOException {
    byte[] bytes = from.readNBytes(BYTES);
    if (bytes.length < BYTES) {
      throw new EOFException("a clean end after " + bytes.length + " bytes of a request");
    }
    ByteBuffer fields = ByteBuffer.wrap(bytes);
    return new Request(
        Kind.of(fields.getLong()), fields.getLong(), fields.getLong(), fields.getLong());
  }

  /** Contents, block by block; the last one is shorter. */
  Blocks uploads() {
    return new Blocks(seed, upload);
  }

  Blocks downloads() {
    return new Blocks(~seed, download);
  }

  /** Random bytes, of which at most a block is held. */
  static final class Blocks {
    private final Random random;
    private final byte[] block = new byte[BLOCK_BYTES];
    private long left;

    private Blocks(long seed, long bytes) {
      this.random = new Random(seed);
      this.left = bytes;
    }

    /** The next block's length, 0 after the last one. */
    int next() {
      int length = (int) Math.min(left, BLOCK_BYTES);
      if (length > 0) {
        random.nextBytes(block);
        left -= length;
      }
      return length;
    }

    byte[] bytes() {
      return block;
    }
  }
}
