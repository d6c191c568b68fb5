package io.cascade.relay.junction;

import io.cascade.api.relay.HopAddress;
import io.cascade.api.relay.PipeState;
import io.cascade.api.relay.PipeTotals;
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

  /** What the stream thinks of the pipe now. */
  void is(PipeState now) {
    state = now;
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

  PipeTotals document() {
    long over = ended.sum(); // first, so that none is missing among those that run
    long all = opened.sum();
    long running = Math.max(0, all - over);
    Change last = change;
    return new PipeTotals(
        hop,
        running,
        all,
        lost.sum(),
        sentBytes.sum(),
        receivedBytes.sum(),
        moved.sum(),
        running > 0 && state == PipeState.NONE ? PipeState.CARRYING : state,
        last == null ? null : (Double) ((System.nanoTime() - last.atNanos()) / 1e9),
        last == null ? null : last.words());
  }
}
