package io.cascade.orchestrator.links;

import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.Heartbeats;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Every measured ordered pair of registered relays. Windows are kept in steady time; what is shown
 * and stored is by the time of day.
 */
@Component
public class LinkTable {
  private static final Duration BETWEEN_SAVES = Duration.ofSeconds(10);
  private static final Duration BETWEEN_SAVES_AT_REST = Duration.ofMinutes(1);

  /** Of whom the links are stored in one round. Of a thousand, each has its turn in two minutes. */
  static final int MOST_SAVED = 100;

  private final RelayRegistry relays;
  private final LinkStore store;
  private final Duration leastSilence;
  private final Timekeeper time;
  private final Map<String, Map<String, Past>> measured = new TreeMap<>();
  private final Set<String> changed = new LinkedHashSet<>();
  private long savedAt;
  private @Nullable PeriodicTask task;

  LinkTable(RelayRegistry relays, LinkStore store, Heartbeats heartbeats, Timekeeper time) {
    this.relays = relays;
    this.store = store;
    this.leastSilence = heartbeats.leastSilence();
    this.time = time;
    this.savedAt = time.mark();
    store.all().forEach(this::restore);
  }

  private synchronized void restore(LinkStore.StoredLink link) {
    LinkWindow.Counts counts = link.counts();
    Instant measuredAt = time.steady(counts.updatedAt());
    Past past = new Past(measuredAt);
    past.recent.add(
        measuredAt,
        counts.sent(),
        counts.lost(),
        counts.events(),
        counts.minRttMillis(),
        counts.smoothedRttMillis(),
        counts.jitterMillis());
    past.transfers = link.transfers().at(time::steady);
    measured.computeIfAbsent(link.from(), _ -> new TreeMap<>()).put(link.to(), past);
  }

  @EventListener
  void on(RelayFact.Measured fact) {
    String from = fact.relay().name();
    // A peer may have been forgotten since the relay was told of it.
    List<LinkMeasurement> known =
        fact.links().stream()
            .filter(link -> !link.peer().equals(from) && relays.find(link.peer()).isPresent())
            .toList();
    Instant now = time.steady();
    synchronized (this) {
      for (LinkMeasurement link : known) {
        measured
            .computeIfAbsent(from, _ -> new TreeMap<>())
            .computeIfAbsent(link.peer(), _ -> new Past(now))
            .add(now, link);
      }
      changed.add(from);
    }
  }

  /**
   * A transfer has shown something of a link.
   *
   * @param bitsPerSecond what passed the link meanwhile, others beside the transfer included
   */
  public void transferred(
      String from, String to, EvidenceSource source, LinkTransfer transfer, double bitsPerSecond) {
    if (relays.find(from).isEmpty() || relays.find(to).isEmpty() || from.equals(to)) {
      return;
    }
    Instant now = time.steady();
    synchronized (this) {
      Past past =
          measured
              .computeIfAbsent(from, _ -> new TreeMap<>())
              .computeIfAbsent(to, _ -> new Past(now));
      past.transfers = past.transfers.and(now, source, transfer, bitsPerSecond);
      changed.add(from);
    }
  }

  /** A train of packets has shown something of a link. */
  void trained(String from, String to, Transfers.Train train) {
    if (relays.find(from).isEmpty() || relays.find(to).isEmpty() || from.equals(to)) {
      return;
    }
    Instant now = time.steady();
    synchronized (this) {
      Past past =
          measured
              .computeIfAbsent(from, _ -> new TreeMap<>())
              .computeIfAbsent(to, _ -> new Past(now));
      past.transfers = past.transfers.and(now, train);
      changed.add(from);
    }
  }

  /** One link, if anything is known of it. */
  public Optional<MeasuredLink> find(String from, String to) {
    RegisteredRelay one = relays.find(from).orElse(null);
    RegisteredRelay other = relays.find(to).orElse(null);
    Instant now = time.steady();
    synchronized (this) {
      return Optional.ofNullable(measured.getOrDefault(from, Map.of()).get(to))
          .map(past -> link(from, to, past, capacity(one, other), now));
    }
  }

  @EventListener
  synchronized void on(RelayFact.Forgotten fact) {
    String name = fact.relay().name();
    measured.remove(name);
    measured.values().forEach(to -> to.remove(name));
    store.remove(name);
  }

  /** All links, ordered by the names of their ends. */
  public List<MeasuredLink> all() {
    Map<String, RegisteredRelay> known =
        relays.all().stream().collect(Collectors.toMap(RegisteredRelay::name, Function.identity()));
    Instant now = time.steady();
    List<MeasuredLink> links = new ArrayList<>();
    synchronized (this) {
      measured.forEach((from, targets) ->
          targets.forEach((to, past) ->
              links.add(link(from, to, past, capacity(known.get(from), known.get(to)), now))));
    }
    return links;
  }

  private MeasuredLink link(
      String from, String to, Past past, @Nullable Long capacity, Instant now) {
    LinkWindow.Counts counts = past.recent.counts(now);
    return new MeasuredLink(
        from,
        to,
        shown(counts),
        past.transfers.at(time::timeOfDay),
        capacity,
        counts.updatedAt().isBefore(now.minus(leastSilence)),
        time.timeOfDay(now));
  }

  /** The past day of one link, the oldest first. */
  public synchronized List<LinkWindow.Span> history(String from, String to) {
    Past past = measured.getOrDefault(from, Map.of()).get(to);
    if (past == null) {
      throw new Refusal(
          ProblemKind.UNKNOWN_LINK,
          "%s to %s: never measured (GET /links lists)".formatted(from, to));
    }
    return past.day.spans(time.steady()).stream()
        .map(span -> span.at(time.timeOfDay(span.start())))
        .toList();
  }

  private LinkWindow.Counts shown(LinkWindow.Counts counts) {
    return counts.at(time.timeOfDay(counts.updatedAt()));
  }

  private static @Nullable Long capacity(
      @Nullable RegisteredRelay from, @Nullable RegisteredRelay to) {
    Long one = from == null ? null : from.registration().capacityBitsPerSecond();
    Long other = to == null ? null : to.registration().capacityBitsPerSecond();
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.min(one, other);
  }

  @EventListener(ApplicationReadyEvent.class)
  void start() {
    task = PeriodicTask.every(BETWEEN_SAVES, "link-store", this::saveWhenDue);
  }

  @PreDestroy
  void stop() {
    if (task != null) {
      task.close();
    }
    save(Integer.MAX_VALUE);
  }

  private void saveWhenDue() {
    if (!relays.isAtRest() || time.passed(savedAt, BETWEEN_SAVES_AT_REST)) {
      savedAt = time.mark();
      save(MOST_SAVED);
    }
  }

  /**
   * @param most relays whose links are stored, those first that have waited longest
   */
  private void save(int most) {
    Map<String, Map<String, LinkStore.Known>> snapshot = new HashMap<>();
    synchronized (this) {
      Instant now = time.steady();
      for (String from : changed.stream().limit(most).toList()) {
        changed.remove(from);
        Map<String, LinkStore.Known> links = new TreeMap<>();
        measured
            .getOrDefault(from, Map.of())
            .forEach((to, past) ->
                links.put(
                    to,
                    new LinkStore.Known(
                        shown(past.recent.counts(now)), past.transfers.at(time::timeOfDay))));
        snapshot.put(from, links);
      }
    }
    snapshot.forEach(store::save);
  }

  /** Windows of one link. The day is not stored: after a restart it begins anew. */
  private static final class Past {
    final LinkWindow recent;
    final LinkWindow day;
    Transfers transfers = Transfers.NONE;

    Past(Instant now) {
      this.recent = LinkWindow.probes(now);
      this.day = LinkWindow.day(now);
    }

    void add(Instant now, LinkMeasurement link) {
      for (LinkWindow window : List.of(recent, day)) {
        window.add(
            now,
            link.sent(),
            link.lost(),
            Objects.requireNonNullElse(link.lossEvents(), link.lost()),
            link.minRttMillis(),
            link.smoothedRttMillis(),
            link.jitterMillis());
      }
    }
  }
}
