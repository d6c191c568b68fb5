package io.cascade.coding.datagram;

import java.util.ArrayDeque;

/** A bounded queue that drops what comes when it is full. */
final class DatagramQueue implements DatagramSource {
  private final int most;
  private final ArrayDeque<Datagram> waiting = new ArrayDeque<>();
  private long dropped;

  /**
   * @param most datagrams, at least 1
   */
  DatagramQueue(int most) {
    this.most = most;
  }

  /** Returns whether the datagram was taken; otherwise it is dropped and counted. */
  boolean offer(Datagram datagram) {
    if (waiting.size() >= most) {
      dropped++;
      return false;
    }
    waiting.add(datagram);
    return true;
  }

  @Override
  public boolean waits() {
    return !waiting.isEmpty();
  }

  @Override
  public Datagram next(long nowNanos) {
    return waiting.remove();
  }

  long dropped() {
    return dropped;
  }
}
