package io.cascade.relay.probe;

import java.util.BitSet;

/**
 * Record of which of the last {@value #SIZE} sequence numbers were received. Numbers are compared
 * as 32-bit serial numbers, so they may wrap.
 */
final class SequenceWindow {
  static final int SIZE = 512;

  private final BitSet seen = new BitSet(SIZE);
  private boolean empty = true;
  private int highest;

  /** Relation of a number to those received before. */
  enum Place {
    /** Not received before, and within the window or ahead of it. */
    NEW,
    /** Received before. */
    REPEATED,
    /** Older than the window. */
    TOO_OLD
  }

  Place mark(int number) {
    if (empty) {
      empty = false;
      highest = number;
    }
    int ahead = number - highest;
    if (ahead > 0) {
      if (ahead >= SIZE) {
        seen.clear();
      } else {
        for (int skipped = highest + 1; skipped != number; skipped++) {
          seen.clear(index(skipped));
        }
      }
      highest = number;
      seen.set(index(number));
      return Place.NEW;
    }
    if (ahead <= -SIZE) {
      return Place.TOO_OLD;
    }
    if (seen.get(index(number))) {
      return Place.REPEATED;
    }
    seen.set(index(number));
    return Place.NEW;
  }

  /**
   * Returns how many numbers after {@code from} and before {@code to} were not received. They count
   * as received from now on, so that no number is counted twice. Numbers older than the window
   * count as not received.
   */
  int takeUnseenBetween(int from, int to) {
    int first = from + 1;
    int behind = Math.min(Math.max(0, highest - SIZE + 1 - first), Math.max(0, to - first));
    int unseen = behind;
    for (int number = first + behind; number - to < 0; number++) {
      if (!seen.get(index(number))) {
        seen.set(index(number));
        unseen++;
      }
    }
    return unseen;
  }

  void clear() {
    seen.clear();
    empty = true;
  }

  private static int index(int number) {
    return number & (SIZE - 1);
  }
}
