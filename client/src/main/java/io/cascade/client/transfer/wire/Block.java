package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.content.Sha256;

/**
 * Format in which the bytes of a file travel: blocks of a 4-byte length, the 8-byte offset of the
 * first byte in the file, and the bytes. Then a block of length 0, the number of bytes of the file
 * as 8 bytes, and their SHA-256. A sender that cannot go on says so with {@link #GIVEN_UP} instead,
 * a 2-byte length and its reason in UTF-8; one that its user ends, with {@link #STOPPED}. While one
 * that connects again has nothing to send, it says {@link #ALIVE}.
 *
 * <p>A hole of a sparse file is {@link #HOLE} in place of a length, the 8-byte offset of its first
 * byte and its 4-byte length. It counts as a block of as many zeros, and is confirmed as one.
 *
 * <p>The blocks of a file may come over several connections and in any order; the same bytes may
 * come twice. The last block comes over one of the connections, when everything else has arrived or
 * precedes it there.
 *
 * <p>The end is marked rather than left to the connection, so that a FIN which comes too early
 * (from a proxy, a killed process) is never taken for the end of the file.
 */
public final class Block {
  /**
   * Largest payload of a block. Large enough that system calls do not count, small enough for
   * caches.
   */
  public static final int MAX_BYTES = 1 << 20;

  /**
   * Bytes of a stream of entries from the first one that has not arrived up to the last one that
   * was sent, at the most: the receiver holds them in memory. A block a connection may come on top.
   */
  public static final int MOST_ENTRIES_AHEAD = 32 << 20;

  /** Bytes of the length, with which every message of a sender begins. */
  public static final int LENGTH_BYTES = 4;

  /** Bytes of length and offset, before those of the file. */
  public static final int PREFIX_BYTES = LENGTH_BYTES + 8;

  /** What has arrived is of no use. */
  public static final int GIVEN_UP = -1;

  /** Nothing is to be sent at present; the connection stands. */
  public static final int ALIVE = -2;

  /** What has arrived is what a later transfer goes on with. */
  public static final int STOPPED = -3;

  /** A hole follows: zeros that take no room. */
  public static final int HOLE = -4;

  /** Bytes of a message of a hole. */
  public static final int HOLE_BYTES = LENGTH_BYTES + 8 + 4;

  /** Largest part of a hole in one message: what its digest takes is short. */
  public static final int MOST_HOLE_BYTES = 64 << 20;

  /** Bytes of the message behind the last block: zero, the size, the digest. */
  public static final int TRAILER_BYTES = LENGTH_BYTES + 8 + Sha256.BYTES;

  /** Bytes of a reason at most. */
  public static final int MAX_REASON_BYTES = 1_024;

  private Block() {}
}
