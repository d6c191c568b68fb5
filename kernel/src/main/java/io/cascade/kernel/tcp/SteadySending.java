package io.cascade.kernel.tcp;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Sending of a connection after its first third, in which TCP was still finding its rate.
 *
 * @param fromNanos when it begins
 * @param bitsPerSecond rate at which bytes arrived
 * @param rttNanos median of the smoothed round-trip time
 * @param sentSegments with data, retransmissions among them
 * @param lossEvents groups of retransmissions, each no longer than the round trip at its beginning
 * @param overflows of these, those that found a queue on the way, see {@link #OVERFLOW_SHARE}
 * @param overflowBitsPerSecond median of the rates at which bytes arrived in the round trip before
 *     each overflow: what a bottleneck with a queue before it carries; empty without overflows
 */
public record SteadySending(
    long fromNanos,
    double bitsPerSecond,
    long rttNanos,
    long sentSegments,
    long retransmittedSegments,
    long lossEvents,
    long overflows,
    OptionalDouble overflowBitsPerSecond,
    SendingLimit limit) {
  private static final int LEAST_ROUND_TRIPS = 4;

  /**
   * Least that a queue adds to the round trip just before it overflows, as a share of the least
   * round trip and in nanoseconds. A queue of a bottleneck that holds a quarter of what the whole
   * path holds adds a quarter when it is full, and less than half of that on average, so the median
   * does not show it.
   */
  private static final double OVERFLOW_SHARE = 0.1;

  private static final long OVERFLOW_NANOS = 2_000_000;

  /** Counters are read every 20 ms at best: over less than this a rate says little. */
  private static final long LEAST_RATE_NANOS = 60_000_000;

  /**
   * Returns the steady part of what was sampled; empty where that is too short to say anything.
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
    LossEvents events = LossEvents.of(late, leastRttNanos(samples));
    return Optional.of(
        new SteadySending(
            first.nanos(),
            arrived * 8 / (nanos / 1e9),
            rtt,
            last.sentSegments() - first.sentSegments(),
            last.retransmittedSegments() - first.retransmittedSegments(),
            events.count,
            events.overflowRates.size(),
            median(events.overflowRates),
            last.limitSince(first)));
  }

  /** Of the smoothed round trips, 0 of a connection that has none yet. */
  private static long leastRttNanos(List<SendingSample> samples) {
    return samples.stream()
        .mapToLong(SendingSample::rttNanos)
        .filter(rtt -> rtt > 0)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static OptionalDouble median(List<Double> values) {
    return values.isEmpty()
        ? OptionalDouble.empty()
        : OptionalDouble.of(values.stream().sorted().toList().get(values.size() / 2));
  }

  /**
   * @param overflowRates bit/s before each loss event that found a queue
   */
  private record LossEvents(long count, List<Double> overflowRates) {
    static LossEvents of(List<SendingSample> samples, long leastRttNanos) {
      double queuedNanos =
          leastRttNanos + Math.max(OVERFLOW_SHARE * leastRttNanos, (double) OVERFLOW_NANOS);
      long count = 0;
      List<Double> rates = new ArrayList<>();
      long endNanos = Long.MIN_VALUE;
      for (int i = 1; i < samples.size(); i++) {
        SendingSample before = samples.get(i - 1);
        SendingSample sample = samples.get(i);
        boolean again = sample.retransmittedSegments() > before.retransmittedSegments();
        if (again && sample.nanos() >= endNanos) {
          count++;
          endNanos = sample.nanos() + sample.rttNanos();
          if (before.rttNanos() >= queuedNanos) {
            rates.add(rateUntil(samples, i - 1));
          }
        }
      }
      return new LossEvents(count, rates);
    }

    /** Rate at which bytes arrived in the round trip that ends with a sample. */
    private static double rateUntil(List<SendingSample> samples, int end) {
      SendingSample last = samples.get(end);
      long fromNanos = last.nanos() - Math.max(last.rttNanos(), LEAST_RATE_NANOS);
      int first = end;
      while (first > 0 && samples.get(first).nanos() > fromNanos) {
        first--;
      }
      long arrived = last.arrivedBytes() - samples.get(first).arrivedBytes();
      return arrived * 8 / (Math.max(1, last.nanos() - samples.get(first).nanos()) / 1e9);
    }
  }
}
