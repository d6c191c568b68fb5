package io.cascade.relay.throughput;

import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputLimit;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.relay.transport.TcpInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel said of a test's connection while the test ran, and what follows from it. Bytes
 * and segments count from {@code before}, the moment before the first byte.
 */
final class Measurement {
  private static final int STEADY_ROUND_TRIPS = 4;

  /** Share of the time above which something else than the network limits a test. */
  private static final double LIMITED = 0.1;

  private final long startNanos;
  private final TcpInfo before;
  private final List<Sample> samples = new ArrayList<>();
  private long sentNanos;

  /** TCP_INFO at one moment while bytes were being sent. */
  private record Sample(long nanos, TcpInfo info) {}

  /** The part of the test that counts as steady. */
  private record Steady(
      double bitsPerSecond,
      Duration rtt,
      long sent,
      long retransmitted,
      long lossEvents,
      ThroughputLimit limitedBy) {}

  Measurement(long startNanos, TcpInfo before) {
    this.startNanos = startNanos;
    this.sentNanos = startNanos;
    this.before = before;
  }

  /** Notes a moment while bytes are being sent. */
  void add(long nanos, TcpInfo info) {
    samples.add(new Sample(nanos, info));
    sentNanos = nanos;
  }

  /** Bytes of the test that the receiver's kernel has acknowledged. */
  long ackedBytes(TcpInfo now) {
    return now.ackedBytes() - before.ackedBytes();
  }

  /**
   * @param nanos when the last byte was acknowledged
   * @param bytes that were delivered
   * @param last what the kernel says then
   */
  ThroughputReport report(
      long nanos, long bytes, TcpInfo last, String congestionControl, ThroughputEnd endedBy) {
    double seconds = Math.max(1, nanos - startNanos) / 1e9;
    Steady steady = steady();
    return new ThroughputReport(
        bytes,
        seconds,
        bytes * 8 / seconds,
        steady == null ? null : steady.bitsPerSecond,
        last.sentSegments() - before.sentSegments(),
        last.retransmittedSegments() - before.retransmittedSegments(),
        last.minRtt().toNanos() / 1e6,
        steady == null ? null : steady.rtt.toNanos() / 1e6,
        congestionControl,
        steady == null ? limitedBy() : steady.limitedBy,
        endedBy,
        steady == null ? null : steady.sent,
        steady == null ? null : steady.retransmitted,
        steady == null ? null : steady.lossEvents);
  }

  /**
   * The sending after its first third, in which TCP was still finding its rate; null where that is
   * too short to say anything.
   */
  private @Nullable Steady steady() {
    long from = startNanos + (sentNanos - startNanos) / 3;
    List<Sample> late = samples.stream().filter(sample -> sample.nanos >= from).toList();
    if (late.size() < 2) {
      return null;
    }
    List<Duration> rtts = late.stream().map(sample -> sample.info.rtt()).sorted().toList();
    Duration rtt = rtts.get(rtts.size() / 2);
    Sample first = late.getFirst();
    Sample last = late.getLast();
    long nanos = last.nanos - first.nanos;
    if (nanos <= 0 || nanos < STEADY_ROUND_TRIPS * rtt.toNanos()) {
      return null;
    }
    long arrived = last.info.arrivedBytes() - first.info.arrivedBytes();
    return new Steady(
        arrived * 8 / (nanos / 1e9),
        rtt,
        last.info.sentSegments() - first.info.sentSegments(),
        last.info.retransmittedSegments() - first.info.retransmittedSegments(),
        lossEvents(late),
        limitedBy(first.info, last.info, nanos));
  }

  /** Groups of retransmissions, each no longer than the round trip at its beginning. */
  private static long lossEvents(List<Sample> samples) {
    long events = 0;
    long endNanos = Long.MIN_VALUE;
    Sample before = samples.getFirst();
    for (Sample sample : samples) {
      boolean again = sample.info.retransmittedSegments() > before.info.retransmittedSegments();
      if (again && sample.nanos >= endNanos) {
        events++;
        endNanos = sample.nanos + sample.info.rtt().toNanos();
      }
      before = sample;
    }
    return events;
  }

  private ThroughputLimit limitedBy() {
    return samples.isEmpty()
        ? ThroughputLimit.NETWORK
        : limitedBy(before, samples.getLast().info, sentNanos - startNanos);
  }

  /** The times exclude each other but for {@code busy}, which holds the others. */
  private static ThroughputLimit limitedBy(TcpInfo before, TcpInfo now, long nanos) {
    if (now.receiverLimited().minus(before.receiverLimited()).toNanos() > LIMITED * nanos) {
      return ThroughputLimit.RECEIVER;
    }
    if (now.senderLimited().minus(before.senderLimited()).toNanos() > LIMITED * nanos) {
      return ThroughputLimit.SENDER_BUFFER;
    }
    boolean idle = now.busy().minus(before.busy()).toNanos() < (1 - LIMITED) * nanos;
    return idle ? ThroughputLimit.APPLICATION : ThroughputLimit.NETWORK;
  }
}
