package io.cascade.packets.encapsulation;

import io.cascade.packets.header.Sequence;

/** Counts what arrives over a pipe, for reports to the sending end. */
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
   * A datagram of a train arrived. The time for the datagrams after the first one is that of the
   * slowest link.
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
    // Datagrams that were read together have no measurable spacing: assume a high rate.
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
   * @param packets number of datagrams so far, modulo 2^32
   * @param bytes of datagrams so far
   * @param lastNanos when the last one arrived, by the receiving end's clock
   * @param train number of the last train; -1 before the first
   * @param trainBitsPerSecond rate of its arrival
   */
  record Counted(
      int highest, int packets, long bytes, long lastNanos, int train, long trainBitsPerSecond) {}
}
