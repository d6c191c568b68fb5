package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.RateHistory;
import io.cascade.api.orchestrator.RateSpan;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Rates of chains in the past day, from readings of their last relays. Stored once a minute, so
 * that a restart loses only what was carried during it, and a crash at most the last three minutes.
 */
@Component
public class ChainRates implements ChainMemory {
  /** Time after which every relay has been read again, except one that is slow to answer. */
  static final Duration SETTLED = PartInspection.PERIOD.plusSeconds(2);

  /**
   * Longest time between two readings that are used: over a longer one the distribution of the
   * bytes is unknown.
   */
  static final Duration MOST_BETWEEN = Duration.ofSeconds(60);

  private static final Duration BETWEEN_SAVES = Duration.ofMinutes(1);
  private static final UUID ALL = new UUID(0, 0);

  private final ChainRateStore store;
  private final Timekeeper time;
  private final Map<UUID, Past> chains = new HashMap<>();
  private final Past all = new Past();
  private @Nullable PeriodicTask saving;

  /** Guards what is stored: the last save may run beside a periodic one. */
  private final Object saves = new Object();

  /** Spans before this moment's span are stored; in steady time. */
  private Instant storedUntil;

  @Autowired
  ChainRates(ChainRateStore store, ChainBook book, Timekeeper time) {
    this(store, id -> book.live(id).isPresent(), time);
  }

  /**
   * Reads the stored rates of the past day.
   *
   * @param live whether a chain has not ended
   */
  ChainRates(ChainRateStore store, Predicate<UUID> live, Timekeeper time) {
    this.store = store;
    this.time = time;
    this.storedUntil = time.steady();
    for (RateResolution resolution : RateResolution.ALL) {
      store.restore(
          resolution,
          oldest(resolution),
          time.now(),
          chain -> chain.equals(ALL) || live.test(chain),
          row -> restored(resolution, row));
    }
  }

  private void restored(RateResolution resolution, ChainRateStore.Row row) {
    Past past =
        row.chain().equals(ALL) ? all : chains.computeIfAbsent(row.chain(), _ -> new Past());
    past.carried(resolution).add(at(row.carried(), time::steady));
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    saving =
        PeriodicTask.every(
            BETWEEN_SAVES, "rate-store", () -> save(time.steady().minus(MOST_BETWEEN)));
  }

  @PreDestroy
  void stop() {
    if (saving != null) {
      saving.close();
    }
    save(time.steady());
  }

  /**
   * Stores the spans that are not stored yet, up to the span of a moment. The next call stores the
   * last of these again, with the bytes that readings added to it meanwhile.
   *
   * @param until no reading adds to spans that ended before
   */
  void save(Instant until) {
    synchronized (saves) {
      if (!until.isAfter(storedUntil)) {
        return;
      }
      for (RateResolution resolution : RateResolution.ALL) {
        save(resolution, storedUntil, until);
      }
      storedUntil = until;
    }
  }

  private void save(RateResolution resolution, Instant from, Instant until) {
    Instant end = until.plus(resolution.span());
    List<ChainRateStore.Row> rows = new ArrayList<>();
    synchronized (this) {
      addTo(rows, ALL, all.carried(resolution).between(from, end));
      chains.forEach(
          (chain, past) -> addTo(rows, chain, past.carried(resolution).between(from, end)));
    }
    if (!rows.isEmpty()) {
      store.replace(
          resolution, time.timeOfDay(resolution.restoredFrom(from)), rows, oldest(resolution));
    }
  }

  private void addTo(List<ChainRateStore.Row> rows, UUID chain, List<CarriedBytes.Carried> spans) {
    spans.forEach(span -> rows.add(new ChainRateStore.Row(chain, at(span, time::timeOfDay))));
  }

  private static CarriedBytes.Carried at(
      CarriedBytes.Carried span, UnaryOperator<Instant> otherTime) {
    return new CarriedBytes.Carried(
        otherTime.apply(span.start()), span.forwardBytes(), span.backwardBytes());
  }

  /** In time of day. */
  private Instant oldest(RateResolution resolution) {
    return time.timeOfDay(time.steady().minus(resolution.kept()));
  }

  /** The last reading, its relay, and its time in steady time. */
  private record Counted(String relay, Instant at, long forwardBytes, long backwardBytes) {}

  private static final class Past {
    private final Map<RateResolution, CarriedBytes> carried = new EnumMap<>(RateResolution.class);
    @Nullable Counted counted;

    Past() {
      RateResolution.ALL.forEach(one -> carried.put(one, new CarriedBytes(one)));
    }

    CarriedBytes carried(RateResolution resolution) {
      return Objects.requireNonNull(carried.get(resolution));
    }

    void add(Instant from, Instant to, long forwardBytes, long backwardBytes) {
      carried.values().forEach(one -> one.add(from, to, forwardBytes, backwardBytes));
    }
  }

  /** Receives the totals that the chain's last relay has reported. */
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
    past.add(before.at(), now.at(), forward, backward);
    all.add(before.at(), now.at(), forward, backward);
  }

  /** Whether both readings are of the same relay without a restart, and close enough in time. */
  private static boolean follows(Counted before, Counted now) {
    return now.relay().equals(before.relay())
        && now.at().isAfter(before.at())
        && !now.at().isAfter(before.at().plus(MOST_BETWEEN))
        && now.forwardBytes() >= before.forwardBytes()
        && now.backwardBytes() >= before.backwardBytes();
  }

  /** Bytes of chains that have ended remain in the sum of all chains. */
  @Override
  public synchronized void retain(Predicate<UUID> open) {
    chains.keySet().removeIf(open.negate());
  }

  /**
   * Rates of one chain; empty for one that has ended.
   *
   * @param past how far back, up to a day
   */
  synchronized RateHistory of(UUID chain, Duration past) {
    return history(chains.get(chain), past);
  }

  /**
   * Rates of all chains together.
   *
   * @param past how far back, up to a day
   */
  public synchronized RateHistory all(Duration past) {
    return history(all, past);
  }

  private RateHistory history(@Nullable Past of, Duration past) {
    RateResolution resolution = RateResolution.over(past);
    long seconds = resolution.span().toSeconds();
    Instant settled = time.steady().minus(SETTLED);
    List<CarriedBytes.Carried> spans =
        of == null ? List.of() : of.carried(resolution).between(settled.minus(past), settled);
    return new RateHistory(
        (int) seconds,
        spans.stream()
            .map(span ->
                new RateSpan(
                    time.timeOfDay(span.start()),
                    Byte.SIZE * span.forwardBytes() / seconds,
                    Byte.SIZE * span.backwardBytes() / seconds))
            .toList());
  }
}
