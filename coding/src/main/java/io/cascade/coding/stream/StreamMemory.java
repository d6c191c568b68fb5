package io.cascade.coding.stream;

import java.util.function.LongSupplier;

/**
 * The memory that streams of all sessions of a process hold on the heap: bytes that wait to be sent
 * and unread bytes. A stream may hold as much as is still free (dynamic thresholds, as in the
 * relay's memory budget), and always a little, so that none stalls. Thread-safe.
 */
public final class StreamMemory {
  /** Bytes that a stream may hold in each direction, whatever is free. */
  static final int FLOOR_BYTES = 4_096;

  /** Memory of a stream besides its bytes: the stream, its connection and its handlers. */
  static final int STREAM_BYTES = 8_192;

  private final long mostBytes;
  private final LongSupplier spareBytes;
  private long held;
  private long streams;

  /**
   * @param mostBytes of all streams together
   * @param spareBytes that may be allocated in addition, which bounds the memory whatever {@code
   *     mostBytes} is
   */
  public StreamMemory(long mostBytes, LongSupplier spareBytes) {
    this.mostBytes = mostBytes;
    this.spareBytes = spareBytes;
  }

  /** Bytes of streams that are held at present. */
  public synchronized long heldBytes() {
    return held;
  }

  /** Bytes that may still be held. */
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

  /** Whether so little is held that empty buffers may be kept for later bytes. */
  boolean isAmple() {
    return freeBytes() > mostBytes / 2;
  }

  /** Adds held bytes, or subtracts them if negative. */
  synchronized void charge(long bytes) {
    held += bytes;
  }

  /** Adds streams, or subtracts them if negative. */
  synchronized void chargeStreams(int count) {
    streams += count;
  }
}
