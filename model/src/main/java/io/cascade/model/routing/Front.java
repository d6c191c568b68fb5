package io.cascade.model.routing;

import java.util.Arrays;

/**
 * Builds the set of (delay, burden) pairs that no other pair dominates: delays ascend, burdens
 * descend.
 */
final class Front {

  private double[] delays = new double[16];
  private double[] burdens = new double[16];
  private int size;

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  void offer(double delay, double burden) {
    int at = size;
    while (at > 0 && delays[at - 1] >= delay) {
      at--;
    }
    // Pairs with an equal delay come after this one; among those only one with a lower burden could
    // dominate it.
    if (at > 0 && burdens[at - 1] <= burden) {
      return;
    }
    if (at < size && delays[at] == delay && burdens[at] <= burden) {
      return;
    }
    int beaten = at;
    while (beaten < size && burdens[beaten] >= burden) {
      beaten++;
    }
    if (beaten == at) {
      open(at);
    } else if (beaten > at + 1) {
      System.arraycopy(delays, beaten, delays, at + 1, size - beaten);
      System.arraycopy(burdens, beaten, burdens, at + 1, size - beaten);
      size -= beaten - at - 1;
    }
    delays[at] = delay;
    burdens[at] = burden;
  }

  private void open(int at) {
    if (size == delays.length) {
      delays = Arrays.copyOf(delays, 2 * size);
      burdens = Arrays.copyOf(burdens, 2 * size);
    }
    System.arraycopy(delays, at, delays, at + 1, size - at);
    System.arraycopy(burdens, at, burdens, at + 1, size - at);
    size++;
  }

  void copyTo(double[] allDelays, double[] allBurdens, int from) {
    System.arraycopy(delays, 0, allDelays, from, size);
    System.arraycopy(burdens, 0, allBurdens, from, size);
  }
}
