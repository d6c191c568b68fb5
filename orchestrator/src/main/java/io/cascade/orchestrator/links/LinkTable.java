package io.cascade.orchestrator.links;

import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.HeartbeatIntervals;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Every measured ordered pair of registered relays. Windows are kept in steady time; reports and
 * the store use the time of day.
 */
@Component
public class LinkTable {
  /**
   * Time for which the state of a link without new measurements is cached: a thousand relays have
   * fifty thousand links, and every plan reads all of them.
   */
  private static final Duration KEPT = Duration.ofSeconds(1);

  private static final Duration BETWEEN_SAVES = Duration.ofSeconds(10);
  private static final Duration BETWEEN_SAVES_AT_REST = Duration.ofMinutes(1);

  /**
   * Relays whose links are stored in one round. Each of a thousand relays is stored within two
   * minutes.
   */
  static final int MOST_SAVED = 100;

  private final RelayRegistry relays;
  private final LinkStore store;
  private final Duration leastSilence;
  private final Timekeeper time;
  private final Map<String, Map<String, Past>> measured = new ConcurrentSkipListMap<>();

  /** Relays with links that have unsaved changes, longest waiting first. */
  private final Set<String> changed = new LinkedHashSet<>();

  private long savedAt;
  private @Nullable PeriodicTask task;

  LinkTable(RelayRegistry relays, LinkStore store, HeartbeatIntervals heartbeats, Timekeeper time) {
    this.relays = relays;
    this.store = store;
    this.leastSilence = heartbeats.leastSilence();
    this.time = time;
    this.savedAt = time.mark();
    List<LinkStore.StoredLink> stored = store.all();
    Set<String> forgotten =
        stored.stream()
            .flatMap(link -> Stream.of(link.from(), link.to()))
            .filter(name -> relays.find(name).isEmpty())
            .collect(Collectors.toSet());
    // A relay may be forgotten while its links are being stored; these are removed again.
    forgotten.forEach(store::remove);
    stored.stream()
        .filter(link -> !forgotten.contains(link.from()) && !forgotten.contains(link.to()))
        .forEach(this::restore);
  }

  private void restore(LinkStore.StoredLink link) {
    LinkWindow.Counts counts = link.counts();
    Instant measuredAt = time.steady(counts.updatedAt());
    Past past = past(link.from(), link.to(), measuredAt);
    synchronized (past) {
      past.recent.add(
          measuredAt,
          counts.sent(),
          counts.lost(),
          counts.events(),
          counts.minRttMillis(),
          counts.smoothedRttMillis(),
          counts.jitterMillis());
      past.learned(link.transfers().at(time::steady));
    }
  }

  private Past past(String from, String to, Instant now) {
    return measured
        .computeIfAbsent(from, _ -> new ConcurrentSkipListMap<>())
        .computeIfAbsent(to, _ -> new Past(now));
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
    for (LinkMeasurement link : known) {
      Past past = past(from, link.peer(), now);
      synchronized (past) {
        past.add(now, link);
      }
    }
    noteChanged(from);
  }

  private void noteChanged(String from) {
    synchronized (changed) {
      changed.add(from);
    }
  }

  /**
   * Adds the evidence of a transfer over a link.
   *
   * @param bitsPerSecond rate over the link meanwhile, including other traffic beside the transfer
   */
  public void transferred(
      String from, String to, EvidenceSource source, LinkTransfer transfer, double bitsPerSecond) {
    if (relays.find(from).isEmpty() || relays.find(to).isEmpty() || from.equals(to)) {
      return;
    }
    Instant now = time.steady();
    Past past = past(from, to, now);
    synchronized (past) {
      past.learned(past.transfers.and(now, source, transfer, bitsPerSecond));
    }
    noteChanged(from);
  }

  /** Adds the evidence of a packet train over a link. */
  void trained(String from, String to, Transfers.Train train) {
    if (relays.find(from).isEmpty() || relays.find(to).isEmpty() || from.equals(to)) {
      return;
    }
    Instant now = time.steady();
    Past past = past(from, to, now);
    synchronized (past) {
      past.learned(past.transfers.and(now, train));
    }
    noteChanged(from);
  }

  /** One link; empty if nothing is known of it. */
  public Optional<MeasuredLink> find(String from, String to) {
    RegisteredRelay one = relays.find(from).orElse(null);
    RegisteredRelay other = relays.find(to).orElse(null);
    Instant now = time.steady();
    return Optional.ofNullable(measured.getOrDefault(from, Map.of()).get(to))
        .map(past -> link(from, to, past, capacity(one, other), now));
  }

  @EventListener
  void on(RelayFact.Forgotten fact) {
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
    measured.forEach((from, targets) ->
        targets.forEach((to, past) ->
            links.add(link(from, to, past, capacity(known.get(from), known.get(to)), now))));
    return links;
  }

  private MeasuredLink link(
      String from, String to, Past past, @Nullable Long capacity, Instant now) {
    synchronized (past) {
      MeasuredLink latest = past.latest;
      if (latest != null
          && Objects.equals(latest.saidBitsPerSecond(), capacity)
          && !time.passed(past.latestAt, KEPT)) {
        return latest;
      }
      LinkWindow.Counts counts = past.recent.counts(now);
      MeasuredLink made =
          new MeasuredLink(
              from,
              to,
              shown(counts),
              past.transfers.at(time::timeOfDay),
              capacity,
              counts.updatedAt().isBefore(now.minus(leastSilence)),
              time.timeOfDay(now));
      past.latest = made;
      past.latestAt = time.mark();
      return made;
    }
  }

  /** The past day of one link, oldest first. */
  public List<LinkWindow.Span> history(String from, String to) {
    Past past = measured.getOrDefault(from, Map.of()).get(to);
    if (past == null) {
      throw new Refusal(
          ProblemKind.UNKNOWN_LINK,
          "%s to %s: never measured (GET /links lists)".formatted(from, to));
    }
    List<LinkWindow.Span> spans;
    synchronized (past) {
      spans = past.day.spans(time.steady());
    }
    return spans.stream().map(span -> span.at(time.timeOfDay(span.start()))).toList();
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
   * @param most number of relays whose links are stored, longest waiting first
   */
  private void save(int most) {
    List<String> due;
    synchronized (changed) {
      due = changed.stream().limit(most).toList();
      due.forEach(changed::remove);
    }
    Instant now = time.steady();
    for (String from : due) {
      Map<String, LinkStore.Known> links = new TreeMap<>();
      measured.getOrDefault(from, Map.of()).forEach((to, past) -> links.put(to, stored(past, now)));
      store.save(from, links);
    }
  }

  private LinkStore.Known stored(Past past, Instant now) {
    synchronized (past) {
      return new LinkStore.Known(
          shown(past.recent.counts(now)), past.transfers.at(time::timeOfDay));
    }
  }

  /**
   * Windows of one link, guarded by its monitor. The day is not stored; it restarts with the
   * process.
   */
  private static final class Past {
    final LinkWindow recent;
    final LinkWindow day;
    private Transfers transfers = Transfers.NONE;

    /** The state as last computed; null if a measurement has arrived since. */
    private @Nullable MeasuredLink latest;

    private long latestAt;

    Past(Instant now) {
      this.recent = LinkWindow.probes(now);
      this.day = LinkWindow.day(now);
    }

    void learned(Transfers now) {
      transfers = now;
      latest = null;
    }

    void add(Instant now, LinkMeasurement link) {
      latest = null;
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
