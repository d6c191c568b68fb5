package io.cascade.client.entries;

/** Numbers of entries that the receiver has, as ranges, until they are reported to it. */
final class StandingRanges {
  private static final int MOST_CHARS = 8 * 1024;
  private static final int MOST_ENTRIES = 4_096;

  private final StringBuilder text = new StringBuilder();
  private long first;
  private int count;
  private int entries;

  /**
   * @param number greater than all previous ones
   */
  void add(long number) {
    if (count > 0 && number == first + count) {
      count++;
    } else {
      endRange();
      first = number;
      count = 1;
    }
    entries++;
  }

  private void endRange() {
    if (count > 0) {
      text.append(text.isEmpty() ? "" : " ").append(first).append(' ').append(count);
      count = 0;
    }
  }

  boolean isEmpty() {
    return entries == 0;
  }

  boolean isFull() {
    return text.length() >= MOST_CHARS || entries >= MOST_ENTRIES;
  }

  String take() {
    endRange();
    String all = text.toString();
    text.setLength(0);
    entries = 0;
    return all;
  }
}
