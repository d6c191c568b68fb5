package io.cascade.kernel.tcp;

import java.util.List;
import java.util.Optional;

/**
 * Sending of a connection after its first third, in which TCP was still finding its rate.
 *
 * @param fromNanos when it begins
 * @param bitsPerSecond rate at which bytes arrived
 * @param rttNanos median of the smoothed round-trip time
 * @param sentSegments with data, including retransmissions
 * @param lossEvents groups of retransmissions, each no longer than the round trip at its beginning
 */
public record SteadySending(
    long fromNanos,
    double bitsPerSecond,
    long rttNanos,
    long sentSegments,
    long retransmittedSegments,
    long lossEvents,
    SendingLimit limit) {
  private static final int LEAST_ROUND_TRIPS = 4;

  /**
   * Returns the steady part of the samples; empty if it is too short for a result.
   *
   * @param startNanos when the sending began
   * @param samples in order
   */
  public static Optional<SteadySending> of(long startNanos, List<SendingSample> samples) {
    if (samples.isEmpty()) {
      return Optional.empty();
    }
    SendingSample last = samples.getLast();
    long from = startNanos + (last.nanos() - startNanos) / 3;
    List<SendingSample> late = samples.stream().filter(sample -> sample.nanos() >= from).toList();
    SendingSample first = late.getFirst();
    long[] rtts = late.stream().mapToLong(SendingSample::rttNanos).sorted().toArray();
    long rtt = rtts[rtts.length / 2];
    long nanos = last.nanos() - first.nanos();
    if (nanos <= 0 || nanos < LEAST_ROUND_TRIPS * rtt) {
      return Optional.empty();
    }
    long arrived = last.arrivedBytes() - first.arrivedBytes();
    return Optional.of(
        new SteadySending(
            first.nanos(),
            arrived * 8 / (nanos / 1e9),
            rtt,
            last.sentSegments() - first.sentSegments(),
            last.retransmittedSegments() - first.retransmittedSegments(),
            lossEvents(late),
            last.limitSince(first)));
  }

  private static long lossEvents(List<SendingSample> samples) {
    long events = 0;
    long endNanos = Long.MIN_VALUE;
    SendingSample before = samples.getFirst();
    for (SendingSample sample : samples) {
      boolean again = sample.retransmittedSegments() > before.retransmittedSegments();
      if (again && sample.nanos() >= endNanos) {
        events++;
        endNanos = sample.nanos() + sample.rttNanos();
      }
      before = sample;
    }
    return events;
  }
}
