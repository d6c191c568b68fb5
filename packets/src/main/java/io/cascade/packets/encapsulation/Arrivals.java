package io.cascade.packets.encapsulation;

import io.cascade.packets.header.Sequence;

/** Counts what arrives by a pipe, so that the sending end can be told. */
final class Arrivals {
  private boolean any;
  private int highest;
  private int packets;
  private long bytes;
  private long lastNanos;

  private int train = -1;
  private long trainFirstNanos;
  private long trainBytes;
  private long trainBitsPerSecond;

  void arrived(int number, int length, long nowNanos) {
    highest = any ? Sequence.max(highest, number) : number;
    any = true;
    packets++;
    bytes += length;
    lastNanos = nowNanos;
  }

  /**
   * One of a train. The time that the datagrams behind the first one took is the slowest link's.
   *
   * @param which number of the train
   */
  void trainArrived(int which, int length, long nowNanos) {
    if (which != train) {
      train = which;
      trainFirstNanos = nowNanos;
      trainBytes = 0;
      return;
    }
    trainBytes += length;
    // Datagrams that were read together have no measurable distance: no slower than this.
    long nanos = Math.max(nowNanos - trainFirstNanos, 1_000);
    trainBitsPerSecond = Math.round(trainBytes * 8e9 / nanos);
  }

  Counted counted() {
    return new Counted(highest, packets, bytes, lastNanos, train, trainBitsPerSecond);
  }

  /**
   * Counts of arrivals at some time.
   *
   * @param highest number of a datagram so far
   * @param packets datagrams so far, modulo 2^32
   * @param bytes of datagrams so far
   * @param lastNanos when the last one came, by the receiving end's clock
   * @param train that came last; -1 before the first
   * @param trainBitsPerSecond at which it came
   */
  record Counted(
      int highest, int packets, long bytes, long lastNanos, int train, long trainBitsPerSecond) {}
}
