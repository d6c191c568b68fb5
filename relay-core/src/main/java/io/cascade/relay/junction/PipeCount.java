package io.cascade.relay.junction;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeState;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.segments.PipeReport;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Counts of the pipes over one hop, and what happened to one of them last. Thread-safe. */
final class PipeCount {
  private final HopAddress hop;
  private final LongAdder opened = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder moved = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();

  /** Sums over the pipes that run and were measured. */
  private final DoubleAdder octetsPerSecond = new DoubleAdder();

  private final DoubleAdder roundTripMillis = new DoubleAdder();
  private final LongAdder roundTrips = new LongAdder();
  private final LongAdder rates = new LongAdder();
  private final LongAdder queuedOctets = new LongAdder();
  private volatile PipeState state = PipeState.NONE;
  private volatile @Nullable Change change;

  /** Something that happened, for people to read. */
  private record Change(long atNanos, String words) {}

  PipeCount(HopAddress hop) {
    this.hop = hop;
  }

  void opened() {
    opened.increment();
    happened(PipeState.CARRYING, "joined");
  }

  /** One is no more, and was not needed any longer. */
  void ended() {
    ended.increment();
    state = PipeState.NONE;
  }

  /** One ended before its stream. */
  void lost(String why) {
    lost.increment();
    happened(PipeState.NONE, "lost: " + why);
  }

  /** One is withdrawn from its stream. */
  void moved(String why) {
    moved.increment();
    happened(PipeState.LEAVING, "withdrawn: " + why);
  }

  /** Notes the state that the stream gives the pipe now. */
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
   * One pipe was measured anew.
   *
   * @param before its last measurement; null where there was none
   * @param now null where the pipe is no more
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
    long over = ended.sum(); // first, so that none is missing among those that run
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
