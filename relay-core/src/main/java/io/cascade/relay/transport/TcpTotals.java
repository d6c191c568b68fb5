package io.cascade.relay.transport;

import java.time.Duration;

/**
 * What the kernel says of several connections to the same neighbour, taken together.
 *
 * @param connections that live
 * @param rttNanos the sum of their smoothed round-trip times
 * @param minRttNanos the least that any of them ever saw; {@link Long#MAX_VALUE} where none did
 * @param congestionWindowSegments of all together
 * @param unackedSegments sent and not acknowledged
 * @param notSentBytes accepted from us and not sent
 * @param sentSegments with data, also by connections that have ended
 * @param retransmittedSegments among those
 */
public record TcpTotals(
    long connections,
    long rttNanos,
    long minRttNanos,
    long congestionWindowSegments,
    long unackedSegments,
    long notSentBytes,
    long sentSegments,
    long retransmittedSegments) {
  public static final TcpTotals NONE = new TcpTotals(0, 0, Long.MAX_VALUE, 0, 0, 0, 0, 0);

  /** Of one connection that lives. */
  public static TcpTotals of(TcpInfo info) {
    return new TcpTotals(
        1,
        info.rtt().toNanos(),
        info.minRtt().isZero() ? Long.MAX_VALUE : info.minRtt().toNanos(),
        info.congestionWindowSegments(),
        info.unackedSegments(),
        info.notSentBytes(),
        info.sentSegments(),
        info.retransmittedSegments());
  }

  public TcpTotals plus(TcpTotals other) {
    return new TcpTotals(
        connections + other.connections,
        rttNanos + other.rttNanos,
        Math.min(minRttNanos, other.minRttNanos),
        congestionWindowSegments + other.congestionWindowSegments,
        unackedSegments + other.unackedSegments,
        notSentBytes + other.notSentBytes,
        sentSegments + other.sentSegments,
        retransmittedSegments + other.retransmittedSegments);
  }

  /** What stays of connections that have ended: their counts. */
  public TcpTotals past() {
    return new TcpTotals(0, 0, Long.MAX_VALUE, 0, 0, 0, sentSegments, retransmittedSegments);
  }

  /** Zero where no connection lives. */
  public Duration meanRtt() {
    return connections == 0 ? Duration.ZERO : Duration.ofNanos(rttNanos / connections);
  }

  /** Zero where no connection has measured one. */
  public Duration minRtt() {
    return minRttNanos == Long.MAX_VALUE ? Duration.ZERO : Duration.ofNanos(minRttNanos);
  }
}
