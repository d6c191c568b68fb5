package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.RateHistory;
import io.cascade.api.orchestrator.RateSpan;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Rates of chains in the past hour, by what their last relays say whenever somebody looks at them.
 * Kept in memory: after a restart it begins anew.
 */
@Component
public class ChainRates implements ChainMemory {
  /** Every relay was looked at since, but for one that is slow to answer. */
  static final Duration SETTLED = PartInspection.PERIOD.plusSeconds(2);

  /** Longest time between two looks: how bytes were spread over a longer one is unknown. */
  private static final Duration MOST_BETWEEN = Duration.ofSeconds(60);

  private final Timekeeper time;
  private final Map<UUID, Past> chains = new HashMap<>();
  private final CarriedBytes all = new CarriedBytes();

  ChainRates(Timekeeper time) {
    this.time = time;
  }

  /** The last count, who counted, and when in steady time. */
  private record Counted(String relay, Instant at, long forwardBytes, long backwardBytes) {}

  private static final class Past {
    final CarriedBytes carried = new CarriedBytes();
    @Nullable Counted counted;
  }

  /** The chain's last relay has said what it passed on so far. */
  synchronized void counted(UUID chain, String relay, StreamTotals totals) {
    Past past = chains.computeIfAbsent(chain, _ -> new Past());
    Counted before = past.counted;
    Counted now = new Counted(relay, time.steady(), totals.forwardBytes(), totals.backwardBytes());
    past.counted = now;
    if (before == null || !follows(before, now)) {
      return;
    }
    long forward = now.forwardBytes() - before.forwardBytes();
    long backward = now.backwardBytes() - before.backwardBytes();
    past.carried.add(before.at(), now.at(), forward, backward);
    all.add(before.at(), now.at(), forward, backward);
  }

  /** Whether the same relay went on counting, and was heard lately. */
  private static boolean follows(Counted before, Counted now) {
    return now.relay().equals(before.relay())
        && now.at().isAfter(before.at())
        && !now.at().isAfter(before.at().plus(MOST_BETWEEN))
        && now.forwardBytes() >= before.forwardBytes()
        && now.backwardBytes() >= before.backwardBytes();
  }

  /** What they have carried stays in the sum. */
  @Override
  public synchronized void retain(Predicate<UUID> open) {
    chains.keySet().removeIf(open.negate());
  }

  /** Rates of one chain; none of one that has ended. */
  synchronized RateHistory of(UUID chain) {
    Past past = chains.get(chain);
    return history(past == null ? List.of() : past.carried.before(settled()));
  }

  /** Rates of all chains together. */
  public synchronized RateHistory all() {
    return history(all.before(settled()));
  }

  private Instant settled() {
    return time.steady().minus(SETTLED);
  }

  private RateHistory history(List<RateSpan> spans) {
    List<RateSpan> shown =
        spans.stream()
            .map(span ->
                new RateSpan(
                    time.timeOfDay(span.start()),
                    span.forwardBitsPerSecond(),
                    span.backwardBitsPerSecond()))
            .toList();
    return new RateHistory((int) CarriedBytes.SPAN.toSeconds(), shown);
  }
}
