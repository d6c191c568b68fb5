package io.cascade.model.routing;

import java.util.Arrays;

/** Partial routes from the source, each one link longer than the one it extends. */
final class PartialRoutes {

  private static final int NUMBERS = 6;

  private int[] node = new int[64];
  private int[] hopsLeft = new int[64];
  private int[] before = new int[64];
  private double[] numbers = new double[64 * NUMBERS];
  private int size;

  int add(
      int atNode,
      int withHopsLeft,
      double delay,
      double burden,
      double traffic,
      double hourly,
      double bound,
      double price,
      int grownFrom) {
    if (size == node.length) {
      node = Arrays.copyOf(node, 2 * size);
      hopsLeft = Arrays.copyOf(hopsLeft, 2 * size);
      before = Arrays.copyOf(before, 2 * size);
      numbers = Arrays.copyOf(numbers, 2 * size * NUMBERS);
    }
    node[size] = atNode;
    hopsLeft[size] = withHopsLeft;
    before[size] = grownFrom;
    int at = size * NUMBERS;
    numbers[at] = delay;
    numbers[at + 1] = burden;
    numbers[at + 2] = traffic;
    numbers[at + 3] = hourly;
    numbers[at + 4] = bound;
    numbers[at + 5] = price;
    return size++;
  }

  int node(int label) {
    return node[label];
  }

  int hopsLeft(int label) {
    return hopsLeft[label];
  }

  double delay(int label) {
    return numbers[label * NUMBERS];
  }

  double burden(int label) {
    return numbers[label * NUMBERS + 1];
  }

  double traffic(int label) {
    return numbers[label * NUMBERS + 2];
  }

  double hourly(int label) {
    return numbers[label * NUMBERS + 3];
  }

  double bound(int label) {
    return numbers[label * NUMBERS + 4];
  }

  double price(int label) {
    return numbers[label * NUMBERS + 5];
  }

  boolean passes(int label, int other) {
    for (int at = label; at >= 0; at = before[at]) {
      if (node[at] == other) {
        return true;
      }
    }
    return false;
  }

  int[] nodes(int label) {
    int length = 0;
    for (int at = label; at >= 0; at = before[at]) {
      length++;
    }
    int[] nodes = new int[length];
    for (int at = label; at >= 0; at = before[at]) {
      nodes[--length] = node[at];
    }
    return nodes;
  }
}
