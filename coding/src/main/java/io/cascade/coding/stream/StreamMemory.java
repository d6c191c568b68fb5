package io.cascade.coding.stream;

import java.util.function.LongSupplier;

/**
 * The memory that streams of all sessions of a process hold, on the heap: what waits to be sent and
 * what was not read. A stream may hold as much as is still free (dynamic thresholds, as in the
 * relay's memory budget), and a little always, so that none stands still. From any thread.
 */
public final class StreamMemory {
  /** Bytes that a stream may hold in each direction, whatever is free. */
  static final int FLOOR_BYTES = 4_096;

  /** Memory of a stream beside its bytes: the stream, its connection and its handlers. */
  static final int STREAM_BYTES = 8_192;

  private final long mostBytes;
  private final LongSupplier spareBytes;
  private long held;
  private long streams;

  /**
   * @param mostBytes of all streams together
   * @param spareBytes that may be held beyond what is held, whatever {@code mostBytes} says
   */
  public StreamMemory(long mostBytes, LongSupplier spareBytes) {
    this.mostBytes = mostBytes;
    this.spareBytes = spareBytes;
  }

  /** Bytes of streams that are held now. */
  public synchronized long heldBytes() {
    return held;
  }

  /** Bytes that may be taken. */
  public long freeBytes() {
    return Math.max(0, Math.min(unclaimedBytes(), spareBytes.getAsLong()));
  }

  private synchronized long unclaimedBytes() {
    return mostBytes - held - STREAM_BYTES * streams;
  }

  /** Whether a direction of a stream may grow to a length. */
  boolean mayHold(long bytes) {
    return bytes <= FLOOR_BYTES || bytes <= freeBytes();
  }

  /** Whether so little is held that what is empty may be kept for the next bytes. */
  boolean isAmple() {
    return freeBytes() > mostBytes / 2;
  }

  /** Bytes are held, or, below 0, given back. */
  synchronized void charge(long bytes) {
    held += bytes;
  }

  /** Streams begin or, below 0, end. */
  synchronized void chargeStreams(int count) {
    streams += count;
  }
}
