package io.cascade.relay.junction;

import io.cascade.api.relay.HopAddress;
import io.cascade.api.relay.PipeTotals;
import java.util.concurrent.atomic.LongAdder;

/** Counts of the pipes over one hop. Thread-safe. */
final class PipeCount {
  private final HopAddress hop;
  private final LongAdder opened = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder lost = new LongAdder();
  private final LongAdder sentBytes = new LongAdder();
  private final LongAdder receivedBytes = new LongAdder();

  PipeCount(HopAddress hop) {
    this.hop = hop;
  }

  void opened() {
    opened.increment();
  }

  void ended() {
    ended.increment();
  }

  void lost() {
    lost.increment();
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
    return new PipeTotals(
        hop, Math.max(0, all - over), all, lost.sum(), sentBytes.sum(), receivedBytes.sum());
  }
}
