package io.cascade.relay.throughput;

import io.cascade.api.relay.PacketDelay;
import io.cascade.api.relay.PacketTrainEnd;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.relay.probe.TrainPacket;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The packets of a train and their outcomes.
 *
 * <p>The reflector numbers its answers. So the highest number that arrived shows how many packets
 * had reached it, and the missing numbers were lost on the way back. One-way delays are differences
 * between clocks that need not agree; relative to the smallest of them they are correct as long as
 * neither clock is set. Thread-safe.
 */
final class TrainAccount {
  /**
   * The last packets are sent one by one, so that the answer to one of them shows the outcome of
   * the others.
   */
  static final int CLOSING = 4;

  private static final int FEWEST_OF_A_RATE = 10;
  private static final double HIGH = 0.95;

  private final int packetBytes;
  private final long[] sentNanos;
  private final long[] timestamps;
  private final List<Arrived> answered = new ArrayList<>();
  private final BitSet testsAnswered = new BitSet();
  private final BitSet reflected = new BitSet();
  private int sent;

  private record Arrived(long sentNanos, long nanos, TrainPacket.Reflected answer) {
    long roundTripNanos() {
      long dwell = answer.dwellNanos();
      long whole = nanos - sentNanos;
      return Math.max(1_000, dwell < 0 || dwell > whole ? whole : whole - dwell);
    }
  }

  TrainAccount(int packets, int packetBytes) {
    this.packetBytes = packetBytes;
    this.sentNanos = new long[packets];
    this.timestamps = new long[packets];
  }

  /** The next packet has been sent. */
  synchronized void sent(long nanos, long timestamp) {
    sentNanos[sent] = nanos;
    timestamps[sent] = timestamp;
    sent++;
  }

  /**
   * Records an answer.
   *
   * @return whether it counts: a first answer to a packet that was sent
   */
  synchronized boolean answered(TrainPacket.Reflected answer, long nanos) {
    int test = answer.testSequence();
    int number = answer.sequence();
    if (test < 0
        || test >= sent
        || number < 0
        || number >= sent
        || answer.testTimestamp() != timestamps[test]
        || testsAnswered.get(test)
        || reflected.get(number)) {
      return false;
    }
    testsAnswered.set(test);
    reflected.set(number);
    answered.add(new Arrived(sentNanos[test], nanos, answer));
    return true;
  }

  synchronized boolean isComplete() {
    return answered.size() == sentNanos.length;
  }

  synchronized int sent() {
    return sent;
  }

  synchronized int answers() {
    return answered.size();
  }

  /** The shortest round trip so far; 0 without an answer. */
  synchronized long minRttNanos() {
    return answered.stream().mapToLong(Arrived::roundTripNanos).min().orElse(0);
  }

  /** Reports the train. May be called once an answer has come and two packets were sent. */
  synchronized PacketTrainReport report(PacketTrainEnd endedBy) {
    int there = reflected.length();
    double seconds = (sentNanos[sent - 1] - sentNanos[0]) / 1e9;
    List<Arrived> spaced =
        answered.stream()
            .filter(one -> one.answer().testSequence() < sent - CLOSING)
            .sorted(Comparator.comparingInt(one -> one.answer().sequence()))
            .toList();
    int steady = Math.max(2, sent - CLOSING);
    double sentRate =
        rate(steady - 1, sentNanos[Math.min(steady, sent) - 1] - sentNanos[0], Double.MAX_VALUE);
    return PacketTrainReport.builder()
        .packets(sent)
        .packetBytes(packetBytes)
        .seconds(seconds)
        .sentBitsPerSecond(sentRate)
        .lostThere(sent - there)
        .reflected(there)
        .lostBack(there - answered.size())
        .minRttMillis(minRttNanos() / 1e6)
        .delayThere(
            delay(one ->
                one.answer().receiptNanosSince(answered.getFirst().answer())
                    - (one.sentNanos() - answered.getFirst().sentNanos())))
        .delayBack(
            delay(one ->
                one.nanos()
                    - answered.getFirst().nanos()
                    - one.answer().returnNanosSince(answered.getFirst().answer())))
        .receivedThereBitsPerSecond(receivedThere(spaced, sentRate))
        .receivedBackBitsPerSecond(receivedBack(spaced, sentRate))
        .endedBy(endedBy)
        .build();
  }

  private @Nullable Double receivedThere(List<Arrived> spaced, double most) {
    if (spaced.size() < FEWEST_OF_A_RATE) {
      return null;
    }
    TrainPacket.Reflected first = spaced.getFirst().answer();
    TrainPacket.Reflected last = spaced.getLast().answer();
    long nanos = last.receiptNanosSince(first);
    return nanos > 0 ? rate(last.sequence() - first.sequence(), nanos, most) : null;
  }

  private @Nullable Double receivedBack(List<Arrived> spaced, double most) {
    if (spaced.size() < FEWEST_OF_A_RATE) {
      return null;
    }
    long first = spaced.stream().mapToLong(Arrived::nanos).min().orElseThrow();
    long last = spaced.stream().mapToLong(Arrived::nanos).max().orElseThrow();
    return last > first ? rate(spaced.size() - 1, last - first, most) : null;
  }

  /**
   * Bounded by the sending rate: jitter may compress the spacing of packets, and the far clock may
   * err.
   */
  private double rate(int packets, long nanos, double most) {
    return Math.min(most, 8e9 * packets * packetBytes / Math.max(1, nanos));
  }

  private PacketDelay delay(ToLongFunction<Arrived> nanos) {
    long[] sorted = answered.stream().mapToLong(nanos).sorted().toArray();
    return new PacketDelay(
        millis(sorted[sorted.length / 2] - sorted[0]),
        millis(sorted[(int) (HIGH * (sorted.length - 1))] - sorted[0]));
  }

  private static double millis(long nanos) {
    return Math.round(nanos / 1_000.0) / 1_000.0;
  }
}
