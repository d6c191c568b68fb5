package io.cascade.client.entries;

import java.nio.ByteBuffer;

/**
 * Field offsets and bounds of the archive format: ustar with extended headers, as POSIX.1-2001
 * defines for pax(1). Every current tar reads it.
 *
 * <p>The codec is this project's own: it accepts bytes as they arrive and holds no more than one
 * header.
 */
final class PaxFormat {
  static final int BLOCK = 512;

  static final int NAME = 0;
  static final int NAME_BYTES = 100;
  static final int MODE = 100;
  static final int UID = 108;
  static final int GID = 116;
  static final int SHORT_NUMBER = 8;
  static final int SIZE = 124;
  static final int MTIME = 136;
  static final int LONG_NUMBER = 12;
  static final int CHECKSUM = 148;
  static final int TYPE = 156;
  static final int LINK = 157;
  static final int MAGIC = 257;
  static final String MAGIC_TEXT = "ustar\00000";
  static final int PREFIX = 345;
  static final int PREFIX_BYTES = 155;

  /**
   * Nanoseconds of the time of modification, as octal digits. POSIX.1-2001 leaves these bytes
   * unused; other programs see whole seconds. An extended header for them would be 1 KiB.
   */
  static final int NANOS = 500;

  static final char FILE = '0';
  static final char LINK_TYPE = '2';
  static final char FOLDER = '5';
  static final char EXTENDED = 'x';
  static final char GLOBAL = 'g';

  /** The largest number of eleven octal digits. */
  static final long MOST_OCTAL = (1L << 33) - 1;

  static final String PATH_KEY = "path";
  static final String LINK_KEY = "linkpath";
  static final String SIZE_KEY = "size";
  static final String TIME_KEY = "mtime";

  /** The previous file differs from what the sender had; the value says why. */
  static final String SPOILT_KEY = "CASCADE.spoilt";

  /** Entries to come; the receiver reports which of them it has ({@link EntryList}). */
  static final String AHEAD_KEY = "CASCADE.ahead";

  /**
   * Key of what the receiver has and is not sent. For an entry: how many bytes at its beginning.
   * For the stream: whole entries, each range as the number of the first one and their count,
   * separated by spaces.
   */
  static final String STANDING_KEY = "CASCADE.standing";

  /** GNU tar's format 1.0 of sparse files ({@link DataMap}). */
  static final String SPARSE_MAJOR_KEY = "GNU.sparse.major";

  static final String SPARSE_MINOR_KEY = "GNU.sparse.minor";
  static final String SPARSE_SIZE_KEY = "GNU.sparse.realsize";

  /** A path, a target of a link, two numbers, and their keys. */
  static final int MOST_EXTENDED_BYTES =
      (Names.MOST_PATH_BYTES + Names.MOST_TARGET_BYTES + 2 * BLOCK) / BLOCK * BLOCK;

  private PaxFormat() {}

  /** Bytes up to the next block. */
  static int padding(long size) {
    return (int) (-size & (BLOCK - 1));
  }

  static int checksum(ByteBuffer all, int from) {
    int sum = 0;
    for (int i = 0; i < BLOCK; i++) {
      boolean own = i >= CHECKSUM && i < CHECKSUM + SHORT_NUMBER;
      sum += own ? ' ' : all.get(from + i) & 0xff;
    }
    return sum;
  }
}
