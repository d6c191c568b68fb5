package io.cascade.relay.junction;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeState;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.segments.PipeReport;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts of the pipes over one hop, and the last event of one of them. Thread-safe. */
final class PipeCount {
  private final HopAddress hop;
  private final LongAdder opened = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder moved = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();

  /** Sums over the running pipes that were measured. */
  private final DoubleAdder octetsPerSecond = new DoubleAdder();

  private final DoubleAdder roundTripMillis = new DoubleAdder();
  private final LongAdder roundTrips = new LongAdder();
  private final LongAdder rates = new LongAdder();
  private final LongAdder queuedOctets = new LongAdder();
  private volatile PipeState state = PipeState.NONE;
  private volatile @Nullable Change change;

  /** An event, described for people. */
  private record Change(long atNanos, String words) {}

  PipeCount(HopAddress hop) {
    this.hop = hop;
  }

  void opened() {
    opened.increment();
    happened(PipeState.CARRYING, "joined");
  }

  /** A pipe ended and was no longer needed. */
  void ended() {
    ended.increment();
    state = PipeState.NONE;
  }

  /** A pipe ended before its stream. */
  void lost(String why) {
    lost.increment();
    happened(PipeState.NONE, "lost: " + why);
  }

  /** A pipe was withdrawn from its stream. */
  void moved(String why) {
    moved.increment();
    happened(PipeState.LEAVING, "withdrawn: " + why);
  }

  /** Records the pipe's new state. */
  void is(io.cascade.segments.PipeState now) {
    state =
        switch (now) {
          case ACTIVE -> PipeState.CARRYING;
          case SUSPECT -> PipeState.OVERDUE;
          case LEAVING -> PipeState.LEAVING;
          case GONE -> PipeState.NONE;
        };
  }

  private void happened(PipeState now, String words) {
    state = now;
    change = new Change(System.nanoTime(), words);
  }

  void sent(long bytes) {
    sentBytes.add(bytes);
  }

  void received(long bytes) {
    receivedBytes.add(bytes);
  }

  /**
   * Records a new measurement of a pipe.
   *
   * @param before its last measurement; null if there was none
   * @param now null if the pipe has ended
   */
  void measured(@Nullable PipeReport before, @Nullable PipeReport now) {
    if (before != null) {
      add(before, -1);
    }
    if (now != null) {
      add(now, 1);
    }
  }

  private void add(PipeReport report, int sign) {
    octetsPerSecond.add(sign * report.octetsPerSecond());
    rates.add(report.octetsPerSecond() > 0 ? sign : 0);
    roundTripMillis.add(sign * report.roundTripMillis());
    roundTrips.add(report.roundTripMillis() > 0 ? sign : 0);
    queuedOctets.add(sign * report.octetsQueued());
  }

  PipeTotals document() {
    long over = ended.sum(); // read first, so that no running pipe is missed
    long all = opened.sum();
    long running = Math.max(0, all - over);
    Change last = change;
    long trips = roundTrips.sum();
    return PipeTotals.builder()
        .hop(hop)
        .running(running)
        .opened(all)
        .lost(lost.sum())
        .sentBytes(sentBytes.sum())
        .receivedBytes(receivedBytes.sum())
        .moved(moved.sum())
        .state(running > 0 && state == PipeState.NONE ? PipeState.CARRYING : state)
        .changedSecondsAgo(
            last == null ? null : (Double) ((System.nanoTime() - last.atNanos()) / 1e9))
        .change(last == null ? null : last.words())
        .bitsPerSecond(rates.sum() > 0 ? (Double) Math.max(0, 8 * octetsPerSecond.sum()) : null)
        .roundTripMillis(trips > 0 ? (Double) Math.max(0, roundTripMillis.sum() / trips) : null)
        .queuedBytes(running > 0 ? (Long) Math.max(0, queuedOctets.sum()) : null)
        .build();
  }
}
