package io.cascade.relay.hop;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;

/**
 * Remembers which counters of a key were received, as IPsec does (RFC 4303 section 3.4.3, RFC
 * 6479): a bitmap that slides with the highest one. Counters may arrive out of order within the
 * window; older or repeated ones are refused.
 */
final class ReplayWindow {
  static final int SIZE = 16_384;

  private final long[] seen = new long[SIZE / Long.SIZE];
  private long highest;

  ReplayWindow() {}

  /**
   * Restores another process's window.
   *
   * @throws IllegalArgumentException unless it is a window of this size
   */
  ReplayWindow(ReplayWindowState state) {
    byte[] bitmap = Base64.getDecoder().decode(state.bitmap());
    if (bitmap.length != SIZE / Byte.SIZE) {
      throw new IllegalArgumentException(
          "bitmap: " + bitmap.length + " bytes (expected: " + SIZE / Byte.SIZE + ")");
    }
    ByteBuffer.wrap(bitmap).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(seen);
    highest = state.highest();
  }

  synchronized ReplayWindowState state() {
    ByteBuffer bitmap = ByteBuffer.allocate(SIZE / Byte.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    bitmap.asLongBuffer().put(seen);
    return new ReplayWindowState(highest, Base64.getEncoder().encodeToString(bitmap.array()));
  }

  /** Whether {@code counter} (1 and up) is new; records it. */
  synchronized boolean accept(long counter) {
    if (counter <= 0 || counter <= highest - SIZE) {
      return false;
    }
    if (counter > highest) {
      long gap = Math.min(counter - highest, SIZE);
      for (long step = 1; step <= gap; step++) {
        clear(counter - gap + step);
      }
      highest = counter;
    } else if (isSet(counter)) {
      return false;
    }
    set(counter);
    return true;
  }

  private boolean isSet(long counter) {
    return (seen[word(counter)] & bit(counter)) != 0;
  }

  private void set(long counter) {
    seen[word(counter)] |= bit(counter);
  }

  private void clear(long counter) {
    seen[word(counter)] &= ~bit(counter);
  }

  private static int word(long counter) {
    return (int) (counter % SIZE) / Long.SIZE;
  }

  private static long bit(long counter) {
    return 1L << (counter % Long.SIZE);
  }
}
