package io.cascade.carriage.transport;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's accounts of several connections to the same neighbour, taken together.
 *
 * @param connections number of open connections
 * @param rttNanos sum of their smoothed round-trip times; if none is open, the longest of those
 *     that have ended
 * @param minRttNanos the least of all connections, or of the ended ones if none is open; {@link
 *     Long#MAX_VALUE} if none measured one
 * @param congestionWindowSegments of all together
 * @param unackedSegments sent and not acknowledged
 * @param notSentBytes accepted from this process and not sent
 * @param sentSegments with data, including those of ended connections
 * @param retransmittedSegments among those
 * @param ackedBytes acknowledged by the neighbour, including those of ended connections, as are the
 *     times
 * @param busyNanos with data sent and not acknowledged
 * @param receiverLimitedNanos of those, limited by the neighbour's window
 * @param senderLimitedNanos of those, limited by the send buffer
 * @param congestionControls that were used
 */
public record TcpTotals(
    long connections,
    long rttNanos,
    long minRttNanos,
    long congestionWindowSegments,
    long unackedSegments,
    long notSentBytes,
    long sentSegments,
    long retransmittedSegments,
    long ackedBytes,
    long busyNanos,
    long receiverLimitedNanos,
    long senderLimitedNanos,
    Set<String> congestionControls) {
  public static final TcpTotals NONE =
      new TcpTotals(0, 0, Long.MAX_VALUE, 0, 0, 0, 0, 0, 0, 0, 0, 0, Set.of());

  public TcpTotals {
    congestionControls = Set.copyOf(congestionControls);
  }

  /**
   * Totals of one open connection.
   *
   * @param congestionControl null if the kernel does not provide it
   */
  public static TcpTotals of(TcpInfo info, @Nullable String congestionControl) {
    return new TcpTotals(
        1,
        info.rtt().toNanos(),
        info.minRtt().isZero() ? Long.MAX_VALUE : info.minRtt().toNanos(),
        info.congestionWindowSegments(),
        info.unackedSegments(),
        info.notSentBytes(),
        info.sentSegments(),
        info.retransmittedSegments(),
        info.ackedBytes(),
        info.busy().toNanos(),
        info.receiverLimited().toNanos(),
        info.senderLimited().toNanos(),
        congestionControl == null ? Set.of() : Set.of(congestionControl));
  }

  public TcpTotals plus(TcpTotals other) {
    boolean alike = (connections > 0) == (other.connections > 0);
    TcpTotals living = connections > 0 ? this : other;
    boolean bothLive = alike && connections > 0;
    return new TcpTotals(
        connections + other.connections,
        bothLive
            ? rttNanos + other.rttNanos
            : alike ? Math.max(rttNanos, other.rttNanos) : living.rttNanos,
        alike ? Math.min(minRttNanos, other.minRttNanos) : living.minRttNanos,
        congestionWindowSegments + other.congestionWindowSegments,
        unackedSegments + other.unackedSegments,
        notSentBytes + other.notSentBytes,
        sentSegments + other.sentSegments,
        retransmittedSegments + other.retransmittedSegments,
        ackedBytes + other.ackedBytes,
        busyNanos + other.busyNanos,
        receiverLimitedNanos + other.receiverLimitedNanos,
        senderLimitedNanos + other.senderLimitedNanos,
        both(congestionControls, other.congestionControls));
  }

  /** Returns the counts, which remain when connections have ended, and their last round trips. */
  public TcpTotals past() {
    return new TcpTotals(
        0,
        meanRtt().toNanos(),
        minRttNanos,
        0,
        0,
        0,
        sentSegments,
        retransmittedSegments,
        ackedBytes,
        busyNanos,
        receiverLimitedNanos,
        senderLimitedNanos,
        congestionControls);
  }

  /** Returns the counts since earlier ones, and the present gauges. */
  public TcpTotals since(TcpTotals earlier) {
    return new TcpTotals(
        connections,
        rttNanos,
        minRttNanos,
        congestionWindowSegments,
        unackedSegments,
        notSentBytes,
        sentSegments - earlier.sentSegments,
        retransmittedSegments - earlier.retransmittedSegments,
        ackedBytes - earlier.ackedBytes,
        busyNanos - earlier.busyNanos,
        receiverLimitedNanos - earlier.receiverLimitedNanos,
        senderLimitedNanos - earlier.senderLimitedNanos,
        congestionControls);
  }

  /** The congestion control of all connections; null if they differ or none is known. */
  public @Nullable String congestionControl() {
    return congestionControls.size() == 1 ? congestionControls.iterator().next() : null;
  }

  /** Whether the kernel has provided an account of any connection. */
  public boolean known() {
    return connections > 0 || sentSegments > 0;
  }

  private static Set<String> both(Set<String> some, Set<String> others) {
    if (others.isEmpty() || some.equals(others)) {
      return some;
    }
    Set<String> all = new TreeSet<>(some);
    all.addAll(others);
    return all;
  }

  /** Mean round-trip time; if no connection is open, the longest last one. */
  public Duration meanRtt() {
    return Duration.ofNanos(rttNanos / Math.max(1, connections));
  }

  /** Least round-trip time; zero if no connection has measured one. */
  public Duration minRtt() {
    return minRttNanos == Long.MAX_VALUE ? Duration.ZERO : Duration.ofNanos(minRttNanos);
  }
}
