package io.cascade.segments;

import io.cascade.segments.ChunkMemory.Chunk;
import io.cascade.segments.Ranges.Range;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of one direction: orders the octets, in bounded memory, and grants the window.
 * Holds the range from the delivered octets to the granted limit.
 */
final class Receiver {
  /** Most separate ranges that may wait for earlier ones; twice what a sender leaves. */
  static final int MOST_RANGES = 2 * Sender.MOST_PIECES + 64;

  private final WindowGrowth growth;
  private final ByteWindow bytes;

  /** Ranges that have arrived, from {@link #delivered} on; the end occupies one octet. */
  private final Ranges there = new Ranges();

  private long delivered;
  private long received;
  private long endOffset = Long.MAX_VALUE;
  private @Nullable Reason end;
  private boolean discarding;
  private long announced;

  /** Most octets granted beyond the delivered ones, whatever the window. */
  private int allowed = Integer.MAX_VALUE;

  private long granted;

  Receiver(WindowGrowth growth, ChunkMemory memory) {
    this.bytes = new ByteWindow(memory);
    this.growth = growth;
    this.granted = growth.octets();
  }

  /** Takes octets that arrived; those that were already stored must be the same. */
  void take(Frame.Data frame) throws ProtocolViolation {
    long start = frame.offset();
    long end = start + frame.bytes().remaining();
    if (end > endOffset) {
      throw new ProtocolViolation(
          Reason.END_DIFFERS, "data to %d, the end is at %d".formatted(end, endOffset));
    }
    if (end > limit()) {
      throw new ProtocolViolation(
          Reason.WINDOW_OVERRUN, "data to %d, granted %d".formatted(end, limit()));
    }
    if (end <= delivered) {
      return;
    }
    long first = Math.max(start, delivered);
    store(first, frame.bytes().slice((int) (first - start), (int) (end - first)));
    added(first, end);
  }

  /** Stores what is missing and compares the rest. */
  private void store(long start, ByteBuffer octets) throws ProtocolViolation {
    long end = start + octets.remaining();
    long at = start;
    for (Range held = there.from(at); at < end; held = there.from(at)) {
      long gapEnd = held == null ? end : Math.min(end, held.start());
      if (gapEnd > at) {
        bytes.put(at, octets.slice((int) (at - start), (int) (gapEnd - at)));
        at = gapEnd;
      }
      if (held != null && at < end) {
        long heldEnd = Math.min(end, held.end());
        if (bytes.differs(at, octets.slice((int) (at - start), (int) (heldEnd - at)))) {
          throw new ProtocolViolation(
              Reason.OVERLAP_DIFFERS, "offsets %d to %d".formatted(at, heldEnd));
        }
        at = heldEnd;
      }
    }
  }

  void takeEnd(Frame.End frame) throws ProtocolViolation {
    long offset = frame.offset();
    if (end != null) {
      if (offset != endOffset || frame.reason() != end) {
        throw new ProtocolViolation(
            Reason.END_DIFFERS, "ends at %d and at %d".formatted(endOffset, offset));
      }
      return;
    }
    Range beyond = there.from(offset);
    if (offset < received || beyond != null) {
      throw new ProtocolViolation(
          Reason.END_DIFFERS, "it ends at %d, behind which data has come".formatted(offset));
    }
    if (offset > limit()) {
      throw new ProtocolViolation(
          Reason.WINDOW_OVERRUN, "it ends at %d, granted %d".formatted(offset, limit()));
    }
    end = frame.reason();
    endOffset = offset;
    added(offset, offset + 1);
  }

  private void added(long start, long end) throws ProtocolViolation {
    there.add(start, end);
    if (there.count() > MOST_RANGES) {
      throw new ProtocolViolation(Reason.TOO_FRAGMENTED, there.count() + " ranges");
    }
    Range first = there.from(received);
    if (first != null && first.start() <= received) {
      received = first.end();
    }
    if (discarding) {
      delivered(readableOctets());
    }
  }

  /** The next octets in order, or null if there are none. */
  @Nullable ByteBuffer readable() {
    long octets = readableOctets();
    return octets <= 0 ? null : bytes.view(delivered, (int) Math.min(octets, FrameCodec.MOST_DATA));
  }

  /** The chunk that contains a waiting octet. */
  Chunk chunk(long offset) {
    return bytes.chunk(offset);
  }

  private long readableOctets() {
    return Math.min(received, endOffset) - delivered;
  }

  /** Records that the next {@code octets} were delivered. */
  void delivered(long octets) {
    if (octets < 0 || octets > readableOctets()) {
      throw new IllegalArgumentException(
          "delivered: %d (expected: 0 to %d)".formatted(octets, readableOctets()));
    }
    delivered += octets;
    there.remove(0, delivered);
    bytes.discardBefore(delivered);
  }

  /** Discards octets in order, since their receiver is gone. */
  void discard() {
    discarding = true;
    delivered(readableOctets());
  }

  /**
   * Reason for which the direction ended, once everything before the end is delivered; null before
   * that.
   */
  @Nullable Reason endReached() {
    return end != null && delivered == endOffset ? end : null;
  }

  /** Whether everything has arrived, including the end. */
  boolean isWhole() {
    return end != null && received > endOffset;
  }

  long received() {
    return received;
  }

  long delivered() {
    return delivered;
  }

  /** First offset that is not granted; never decreases. */
  long limit() {
    granted = Math.max(granted, delivered + Math.min(growth.octets(), allowed));
    return granted;
  }

  /** Bounds what is granted beyond the delivered octets, except what was granted before. */
  void grantAtMost(int octets) {
    allowed = Math.max(0, octets);
  }

  /** Enlarges the window if it is too small for what was delivered in a round trip. */
  void grow(double roundTripNanos, long nowNanos) {
    growth.movedTo(delivered, roundTripNanos, nowNanos);
  }

  /** Whether the octet at the offset, or the end at that place, has arrived. */
  boolean has(long offset) {
    return offset < delivered || there.contains(offset);
  }

  /** Releases everything that waits. */
  void release() {
    bytes.release();
    growth.release();
  }

  long heldBytes() {
    return bytes.heldBytes();
  }

  /**
   * Whether the window has moved so far since it was last announced that the peer should be told.
   */
  boolean windowNews() {
    return limit() - announced >= growth.octets() / 8;
  }

  void announced() {
    announced = limit();
  }
}
