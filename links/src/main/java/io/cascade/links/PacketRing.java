package io.cascade.links;

import java.util.Arrays;

/**
 * Packets in order, each with a time. Grows to the size that was needed, then allocates no more.
 */
final class PacketRing {
  private int[] slots = new int[1_024];
  private int[] lengths = new int[1_024];
  private long[] times = new long[1_024];
  private int head;
  private int size;

  void add(int slot, int length, long timeNanos) {
    if (size == slots.length) {
      grow();
    }
    int at = (head + size) & (slots.length - 1);
    slots[at] = slot;
    lengths[at] = length;
    times[at] = timeNanos;
    size++;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  int firstSlot() {
    return slots[head];
  }

  int firstLength() {
    return lengths[head];
  }

  long firstTime() {
    return times[head];
  }

  void removeFirst() {
    head = (head + 1) & (slots.length - 1);
    size--;
  }

  private void grow() {
    int old = slots.length;
    slots = unrolled(slots, old);
    lengths = unrolled(lengths, old);
    long[] straight = Arrays.copyOf(times, 2 * old);
    System.arraycopy(times, head, straight, 0, old - head);
    System.arraycopy(times, 0, straight, old - head, head);
    times = straight;
    head = 0;
  }

  private int[] unrolled(int[] ring, int old) {
    int[] straight = new int[2 * old];
    System.arraycopy(ring, head, straight, 0, old - head);
    System.arraycopy(ring, 0, straight, old - head, head);
    return straight;
  }
}
