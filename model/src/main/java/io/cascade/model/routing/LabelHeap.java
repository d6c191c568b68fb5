package io.cascade.model.routing;

import java.util.Arrays;

/** A binary heap of labels by two keys, then by number; the least is removed first. */
final class LabelHeap {

  private double[] firstKeys = new double[64];
  private double[] secondKeys = new double[64];
  private int[] labels = new int[64];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  void add(double firstKey, double secondKey, int label) {
    if (size == labels.length) {
      firstKeys = Arrays.copyOf(firstKeys, 2 * size);
      secondKeys = Arrays.copyOf(secondKeys, 2 * size);
      labels = Arrays.copyOf(labels, 2 * size);
    }
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      if (!isLess(firstKey, secondKey, label, parent)) {
        break;
      }
      move(parent, at);
      at = parent;
    }
    put(at, firstKey, secondKey, label);
  }

  int remove() {
    int least = labels[0];
    size--;
    double firstKey = firstKeys[size];
    double secondKey = secondKeys[size];
    int label = labels[size];
    int at = 0;
    while (true) {
      int child = 2 * at + 1;
      if (child >= size) {
        break;
      }
      if (child + 1 < size
          && isLess(firstKeys[child + 1], secondKeys[child + 1], labels[child + 1], child)) {
        child++;
      }
      if (isLess(firstKey, secondKey, label, child)) {
        break;
      }
      move(child, at);
      at = child;
    }
    put(at, firstKey, secondKey, label);
    return least;
  }

  private boolean isLess(double firstKey, double secondKey, int label, int than) {
    if (firstKey != firstKeys[than]) {
      return firstKey < firstKeys[than];
    }
    if (secondKey != secondKeys[than]) {
      return secondKey < secondKeys[than];
    }
    // The later label is the longer way: at equal bounds, depth-first order completes routes
    // soonest.
    return label > labels[than];
  }

  private void move(int from, int to) {
    put(to, firstKeys[from], secondKeys[from], labels[from]);
  }

  private void put(int at, double firstKey, double secondKey, int label) {
    firstKeys[at] = firstKey;
    secondKeys[at] = secondKey;
    labels[at] = label;
  }
}
