package io.cascade.relay.pump;

import org.jspecify.annotations.Nullable;

/**
 * Bytes that the direction must still be able to write to a sink: because there is none, because
 * the sink that was offered them has not confirmed them, or because other bytes precede them.
 *
 * <p>Offsets count the bytes that were added since the direction began, so that a sink may confirm
 * a part: {@link #confirm} drops the bytes before an offset. Chunks form a linked list themselves,
 * since most directions are idle and keep none.
 */
final class RetransmitBuffer {
  private @Nullable Chunk first;
  private @Nullable Chunk last;
  private long start;
  private long end;

  /** Receives the chunks that no sink will need again. */
  interface Listener {
    /** The chunk was removed from the buffer; its bytes are released. */
    void forgotten(Chunk chunk);
  }

  boolean isEmpty() {
    return first == null;
  }

  /** Offset of the first byte that is kept. */
  long start() {
    return start;
  }

  /** Offset after the last byte that is kept. */
  long end() {
    return end;
  }

  /** The first chunk; null if none is kept. */
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

  /** Removes the first chunk and hands its bytes over to the caller; null if none is kept. */
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
   * Drops the chunks that end at or before an offset; one that extends beyond it is kept whole.
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
