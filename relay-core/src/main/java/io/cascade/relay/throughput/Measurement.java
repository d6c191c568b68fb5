package io.cascade.relay.throughput;

import io.cascade.api.relay.ThroughputEnd;
import io.cascade.api.relay.ThroughputLimit;
import io.cascade.api.relay.ThroughputReport;
import io.cascade.carriage.transport.TcpInfo;
import io.cascade.kernel.tcp.SendingLimit;
import io.cascade.kernel.tcp.SendingSample;
import io.cascade.kernel.tcp.SteadySending;
import java.util.ArrayList;
import java.util.List;

/**
 * Readings of a test's connection from the kernel during the test, and the results derived from
 * them. Bytes and segments count from {@code before}, the moment before the first byte.
 */
final class Measurement {
  private final long startNanos;
  private final TcpInfo before;
  private final List<SendingSample> samples = new ArrayList<>();

  Measurement(long startNanos, TcpInfo before) {
    this.startNanos = startNanos;
    this.before = before;
  }

  /** Adds a reading while bytes are being sent. */
  void add(long nanos, TcpInfo info) {
    samples.add(sample(nanos, info));
  }

  /** Bytes of the test that the receiver's kernel has acknowledged. */
  long ackedBytes(TcpInfo now) {
    return now.ackedBytes() - before.ackedBytes();
  }

  /**
   * @param nanos when the last byte was acknowledged
   * @param bytes that were delivered
   * @param last the kernel's reading at that time
   */
  ThroughputReport report(
      long nanos, long bytes, TcpInfo last, String congestionControl, ThroughputEnd endedBy) {
    double seconds = Math.max(1, nanos - startNanos) / 1e9;
    SteadySending steady = SteadySending.of(startNanos, samples).orElse(null);
    return ThroughputReport.builder()
        .bytes(bytes)
        .seconds(seconds)
        .bitsPerSecond(bytes * 8 / seconds)
        .steadyBitsPerSecond(steady == null ? null : steady.bitsPerSecond())
        .sentSegments(last.sentSegments() - before.sentSegments())
        .retransmittedSegments(last.retransmittedSegments() - before.retransmittedSegments())
        .minRttMillis(last.minRtt().toNanos() / 1e6)
        .loadedRttMillis(steady == null ? null : steady.rttNanos() / 1e6)
        .congestionControl(congestionControl)
        .limitedBy(limit(steady == null ? limit() : steady.limit()))
        .endedBy(endedBy)
        .steadySentSegments(steady == null ? null : (Long) steady.sentSegments())
        .steadyRetransmittedSegments(steady == null ? null : (Long) steady.retransmittedSegments())
        .steadyLossEvents(steady == null ? null : (Long) steady.lossEvents())
        .build();
  }

  /** Returns what limited the whole sending time. */
  private SendingLimit limit() {
    return samples.isEmpty()
        ? SendingLimit.NETWORK
        : samples.getLast().limitSince(sample(startNanos, before));
  }

  private static ThroughputLimit limit(SendingLimit limit) {
    return switch (limit) {
      case NETWORK -> ThroughputLimit.NETWORK;
      case RECEIVER -> ThroughputLimit.RECEIVER;
      case SENDER_BUFFER -> ThroughputLimit.SENDER_BUFFER;
      case APPLICATION -> ThroughputLimit.APPLICATION;
    };
  }

  private static SendingSample sample(long nanos, TcpInfo info) {
    return new SendingSample(
        nanos,
        info.rtt().toNanos(),
        info.sentSegments(),
        info.retransmittedSegments(),
        info.arrivedBytes(),
        info.busy().toNanos(),
        info.receiverLimited().toNanos(),
        info.senderLimited().toNanos());
  }
}
