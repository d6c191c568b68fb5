package io.cascade.orchestrator.links;

import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.orchestrator.relays.Heartbeats;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayFact;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Ticking;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** Every measured ordered pair of registered relays. */
@Component
public class LinkTable {
  private static final Duration BETWEEN_SAVES = Duration.ofSeconds(10);

  private final RelayRegistry relays;
  private final LinkStore store;
  private final Heartbeats heartbeats;
  private final Timekeeper time;
  private final Map<String, Map<String, LinkWindow>> windows = new TreeMap<>();
  private final Set<String> changed = new HashSet<>();
  private @Nullable Ticking ticking;

  LinkTable(RelayRegistry relays, LinkStore store, Heartbeats heartbeats, Timekeeper time) {
    this.relays = relays;
    this.store = store;
    this.heartbeats = heartbeats;
    this.time = time;
    store.all().forEach(this::restore);
  }

  private synchronized void restore(LinkStore.StoredLink link) {
    LinkWindow.Counts counts = link.counts();
    LinkWindow window = new LinkWindow(counts.updatedAt());
    window.add(
        counts.updatedAt(),
        counts.sent(),
        counts.lost(),
        counts.minRttMillis(),
        counts.smoothedRttMillis(),
        counts.jitterMillis());
    windows.computeIfAbsent(link.from(), _ -> new TreeMap<>()).put(link.to(), window);
  }

  @EventListener
  void on(RelayFact.Measured fact) {
    String from = fact.relay().name();
    Set<String> known =
        relays.all().stream().map(RegisteredRelay::name).collect(Collectors.toSet());
    Instant now = time.now();
    synchronized (this) {
      for (LinkMeasurement link : fact.links()) {
        // A peer may have been forgotten since the relay was told of it.
        if (known.contains(link.peer()) && !link.peer().equals(from)) {
          windows
              .computeIfAbsent(from, _ -> new TreeMap<>())
              .computeIfAbsent(link.peer(), _ -> new LinkWindow(now))
              .add(
                  now,
                  link.sent(),
                  link.lost(),
                  link.minRttMillis(),
                  link.smoothedRttMillis(),
                  link.jitterMillis());
        }
      }
      changed.add(from);
    }
  }

  @EventListener
  synchronized void on(RelayFact.Forgotten fact) {
    String name = fact.relay().name();
    windows.remove(name);
    windows.values().forEach(to -> to.remove(name));
    store.remove(name);
  }

  /** By name of their ends. */
  public List<MeasuredLink> all() {
    Map<String, RegisteredRelay> known =
        relays.all().stream().collect(Collectors.toMap(RegisteredRelay::name, Function.identity()));
    Instant now = time.now();
    Instant fresh = now.minus(heartbeats.lostAfter());
    List<MeasuredLink> links = new ArrayList<>();
    synchronized (this) {
      windows.forEach((from, targets) ->
          targets.forEach((to, window) -> {
            LinkWindow.Counts counts = window.counts(now);
            links.add(
                new MeasuredLink(
                    from,
                    to,
                    counts,
                    capacity(known.get(from), known.get(to)),
                    counts.updatedAt().isBefore(fresh)));
          }));
    }
    return links;
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
    ticking = Ticking.every(BETWEEN_SAVES, "link-store", this::save);
  }

  @PreDestroy
  void stop() {
    if (ticking != null) {
      ticking.close();
    }
    save();
  }

  private void save() {
    Map<String, Map<String, LinkWindow.Counts>> snapshot = new HashMap<>();
    synchronized (this) {
      Instant now = time.now();
      for (String from : changed) {
        Map<String, LinkWindow.Counts> counts = new TreeMap<>();
        windows
            .getOrDefault(from, Map.of())
            .forEach((to, window) -> counts.put(to, window.counts(now)));
        snapshot.put(from, counts);
      }
      changed.clear();
    }
    snapshot.forEach(store::save);
  }
}
