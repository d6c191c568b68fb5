package io.cascade.relay.pump;

import java.util.function.LongSupplier;

/**
 * The most that a direction may read at once. Bulk costs least in large pieces. But a message of
 * another stream on the same event loop waits until the preceding piece has been read and written.
 * So large pieces are used only on loops that carry no messages.
 *
 * <p>One per event loop, used on its thread only.
 */
final class ReadQuantum {
  /** Largest read that counts as a message, if it leaves room in its buffer. */
  static final int LONGEST_MESSAGE = 16 << 10;

  /** Limit of a read while messages are carried, see docs/how/data-plane.md. */
  static final long SMALL_BYTES = 64 << 10;

  /** Time for which a loop remembers that it carried a message. */
  static final long MEMORY_NANOS = 100_000_000;

  private final LongSupplier nanoTime;
  private boolean carriesMessages;
  private long lastMessageNanos;

  ReadQuantum() {
    this(System::nanoTime);
  }

  ReadQuantum(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * Records a read of a direction that does not carry bulk. A bulk direction sometimes catches up
   * with its sender and reads little, so its reads are not recorded here.
   *
   * @param roomLeft in the buffer that it read into
   */
  void read(int bytes, int roomLeft) {
    if (roomLeft > 0 && bytes <= LONGEST_MESSAGE) {
      carriesMessages = true;
      lastMessageNanos = nanoTime.getAsLong();
    }
  }

  /** Bytes that a direction may read at once. */
  long bytes() {
    if (carriesMessages && nanoTime.getAsLong() - lastMessageNanos > MEMORY_NANOS) {
      carriesMessages = false;
    }
    return carriesMessages ? SMALL_BYTES : Long.MAX_VALUE;
  }
}
