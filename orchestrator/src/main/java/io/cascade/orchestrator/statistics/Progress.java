package io.cascade.orchestrator.statistics;

import io.cascade.api.orchestrator.StallShares;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.ProcessTotals;
import io.cascade.api.relay.StreamTotals;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Progress of one chain's part between two snapshots.
 *
 * @param seconds time between them
 */
record Progress(StreamTotals now, StreamTotals before, double seconds) {
  private static final Stalls NO_STALLS = new Stalls(0.0, 0.0, 0.0);

  /** Null if there is nothing to compare, as after the relay has lost the part meanwhile. */
  static @Nullable Progress between(
      @Nullable PartStatus before, @Nullable PartStatus now, double seconds) {
    if (before == null || now == null || !(seconds > 0)) {
      return null;
    }
    Progress progress = new Progress(now.totals(), before.totals(), seconds);
    return progress.now.forwardBytes() < progress.before.forwardBytes()
            || progress.now.backwardBytes() < progress.before.backwardBytes()
        ? null
        : progress;
  }

  double forwardBitsPerSecond() {
    return 8 * (now.forwardBytes() - before.forwardBytes()) / seconds;
  }

  double backwardBitsPerSecond() {
    return 8 * (now.backwardBytes() - before.backwardBytes()) / seconds;
  }

  /** Time for which the forward directions waited, summed over the streams. */
  Stalls forwardStalls() {
    return difference(now.forwardStalls(), before.forwardStalls());
  }

  /** Time for which the backward directions waited, summed over the streams. */
  Stalls backwardStalls() {
    return difference(now.backwardStalls(), before.backwardStalls());
  }

  /**
   * Share of the sent segments that were retransmissions; null if nothing was sent, or the relay
   * does not report it.
   */
  static @Nullable Double retransmittedShare(
      @Nullable HopConnections before, @Nullable HopConnections now) {
    if (before == null || now == null) {
      return null;
    }
    long sent = now.sentSegments() - before.sentSegments();
    long again = now.retransmittedSegments() - before.retransmittedSegments();
    return sent <= 0 || again < 0 ? null : (Double) Math.min(1, (double) again / sent);
  }

  /**
   * Share of the available processor time that a relay's process used, by the relay's own clock,
   * from 0 to 1; null if it does not report it or has restarted.
   */
  static @Nullable Double processorShare(
      @Nullable ProcessTotals before, @Nullable ProcessTotals now) {
    if (before == null || now == null) {
      return null;
    }
    Double earlier = before.processorSeconds();
    Double later = now.processorSeconds();
    double seconds = now.uptimeSeconds() - before.uptimeSeconds();
    return earlier == null || later == null || later < earlier || !(seconds > 0)
        ? null
        : (Double) Math.min(1, (later - earlier) / (seconds * Math.max(1, now.processors())));
  }

  /** Shares of the waiting times; null if no direction was open. */
  static @Nullable StallShares shares(Stalls stalls) {
    double all = stalls.dataSeconds() + stalls.sinkSeconds() + stalls.budgetSeconds();
    return all > 0
        ? new StallShares(
            stalls.dataSeconds() / all, stalls.sinkSeconds() / all, stalls.budgetSeconds() / all)
        : null;
  }

  private static Stalls difference(@Nullable Stalls now, @Nullable Stalls before) {
    Stalls late = Objects.requireNonNullElse(now, NO_STALLS);
    Stalls early = Objects.requireNonNullElse(before, NO_STALLS);
    return new Stalls(
        Math.max(0, late.dataSeconds() - early.dataSeconds()),
        Math.max(0, late.sinkSeconds() - early.sinkSeconds()),
        Math.max(0, late.budgetSeconds() - early.budgetSeconds()));
  }
}
