package io.cascade.coding.session;

import io.cascade.coding.wire.ArrivalMap;

/**
 * Received packet numbers: the largest and the 4,096 below it. Older ones count as received, so
 * that a packet is never accepted twice.
 */
final class ReceivedPackets {
  private static final int REACH = 4_096;
  private static final int MASK = REACH - 1;

  private final long[] arrived = new long[REACH / Long.SIZE];
  private long largest = -1;

  long largest() {
    return largest;
  }

  /** Whether a packet has arrived before, or is too old to tell. */
  boolean isKnown(long number) {
    return number <= largest - REACH || (number <= largest && get(number));
  }

  void note(long number) {
    if (number > largest) {
      long first = Math.max(largest + 1, number - REACH + 1);
      for (long skipped = first; skipped < number; skipped++) {
        arrived[word(skipped)] &= ~bit(skipped);
      }
      largest = number;
    }
    arrived[word(number)] |= bit(number);
  }

  private boolean get(long number) {
    return (arrived[word(number)] & bit(number)) != 0;
  }

  private static int word(long number) {
    return ((int) number & MASK) >>> 6;
  }

  private static long bit(long number) {
    return 1L << (number & 63);
  }

  /** Makes a map in which bit i is the packet {@code largest − 1 − i}. */
  ArrivalMap map(int bytes) {
    byte[] bitmap = new byte[bytes];
    for (int i = 0; i < 8 * bytes; i++) {
      long number = largest - 1 - i;
      if (number >= 0 && get(number)) {
        bitmap[i >>> 3] |= (byte) (1 << (i & 7));
      }
    }
    return new ArrivalMap(bitmap);
  }
}
