package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.content.Sha256;

/**
 * Format of a file's bytes on the wire: blocks of a 4-byte length, the 8-byte offset of the first
 * byte in the file, and the bytes. Then a block of length 0, the number of bytes of the file as 8
 * bytes, and their SHA-256. A sender that cannot continue sends {@link #GIVEN_UP} instead, a 2-byte
 * length and its reason in UTF-8; one that its user cancels sends {@link #STOPPED}. A sender that
 * reconnects sends {@link #ALIVE} while it has nothing to send.
 *
 * <p>A hole of a sparse file is {@link #HOLE} in place of a length, the 8-byte offset of its first
 * byte and its 4-byte length. It counts as a block of as many zeros, and is confirmed as one.
 *
 * <p>The blocks of a file may arrive over several connections and in any order; the same bytes may
 * arrive twice. The last block is sent over one of the connections, when everything else has
 * arrived or precedes it there.
 *
 * <p>The end is marked explicitly, so that a premature FIN (from a proxy, a killed process) is
 * never taken for the end of the file.
 */
public final class Block {
  /**
   * Largest payload of a block: large enough that the cost of system calls is negligible, small
   * enough for caches.
   */
  public static final int MAX_BYTES = 1 << 20;

  /**
   * Most bytes of a stream of entries from the first one that has not arrived up to the last one
   * that was sent: the receiver holds them in memory. One block for each connection may exceed it.
   */
  public static final int MOST_ENTRIES_AHEAD = 32 << 20;

  /** Bytes of the length, with which every message of a sender begins. */
  public static final int LENGTH_BYTES = 4;

  /** Bytes of length and offset, before those of the file. */
  public static final int PREFIX_BYTES = LENGTH_BYTES + 8;

  /** The sender cannot continue: what has arrived cannot be used. */
  public static final int GIVEN_UP = -1;

  /** Nothing is to be sent at present; the connection stays open. */
  public static final int ALIVE = -2;

  /** The user cancelled: a later transfer resumes from what has arrived. */
  public static final int STOPPED = -3;

  /** A hole follows: zeros that take no space. */
  public static final int HOLE = -4;

  /** Length of a message of a hole. */
  public static final int HOLE_BYTES = LENGTH_BYTES + 8 + 4;

  /** Largest part of a hole in one message, so that its digest takes little time. */
  public static final int MOST_HOLE_BYTES = 64 << 20;

  /** Bytes of the message behind the last block: zero, the size, the digest. */
  public static final int TRAILER_BYTES = LENGTH_BYTES + 8 + Sha256.BYTES;

  /** Most bytes of a reason. */
  public static final int MAX_REASON_BYTES = 1_024;

  private Block() {}
}
