package io.cascade.relay.throughput;

import io.cascade.api.relay.ThroughputEnd;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts tests by outcome, or by the reason of their refusal. */
final class TestCounts {
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  /** A test that this relay sent has a result. */
  void ended(ThroughputEnd how) {
    add(how == ThroughputEnd.STREAM ? "gave-way" : "completed");
  }

  /** A test that this relay received is over. */
  void ended(SinkState how) {
    add(
        switch (how) {
          case COMPLETED -> "completed";
          case GAVE_WAY -> "gave-way";
          case EXPECTING, RECEIVING, FAILED -> "failed";
        });
  }

  void failed() {
    add("failed");
  }

  void refused(TestRefused.Reason why) {
    add("refused-" + why.name().toLowerCase(Locale.ROOT));
  }

  Map<String, Long> byOutcome() {
    Map<String, Long> sums = new TreeMap<>();
    counts.forEach((outcome, count) -> sums.put(outcome, count.sum()));
    return sums;
  }

  private void add(String outcome) {
    counts.computeIfAbsent(outcome, _ -> new LongAdder()).increment();
  }
}
