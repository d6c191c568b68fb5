package io.cascade.relay.pump;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that the direction must still be able to give a sink: because there is none, because the
 * one that was offered them has not confirmed them, or because others go before them.
 *
 * <p>Offsets count the bytes that were added since the direction began, so that a sink may confirm
 * a part: {@link #confirm} forgets what lies before an offset. Chunks are linked by themselves, for
 * most directions are idle and keep none.
 */
final class RetransmitBuffer {
  private @Nullable Chunk first;
  private @Nullable Chunk last;
  private long start;
  private long end;

  /** Hears what no sink will need again. */
  interface Listener {
    /** The chunk has left the buffer; its bytes are released. */
    void forgotten(Chunk chunk);
  }

  boolean isEmpty() {
    return first == null;
  }

  /** Offset of the first byte that is kept. */
  long start() {
    return start;
  }

  /** Offset behind the last byte that is kept. */
  long end() {
    return end;
  }

  /** The first chunk; null where none is kept. */
  @Nullable Chunk first() {
    return first;
  }

  void add(Chunk chunk) {
    Chunk before = last;
    if (before == null) {
      first = chunk;
    } else {
      before.next = chunk;
    }
    last = chunk;
    end += chunk.length;
  }

  /** Takes the first chunk out, whose bytes are the caller's then; null where none is kept. */
  @Nullable Chunk poll() {
    Chunk polled = first;
    if (polled != null) {
      first = polled.next;
      polled.next = null;
      if (first == null) {
        last = null;
      }
      start += polled.length;
    }
    return polled;
  }

  /**
   * Forgets the chunks that end at or before an offset; one that reaches beyond it stays whole.
   *
   * @param offset at most {@link #end()}
   */
  void confirm(long offset, Listener listener) {
    if (offset > end) {
      throw new IllegalArgumentException("offset: " + offset + " (expected: at most " + end + ")");
    }
    for (Chunk next = first; next != null && start + next.length <= offset; next = first) {
      poll();
      next.bytes.release();
      listener.forgotten(next);
    }
  }
}
