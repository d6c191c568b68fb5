package io.cascade.orchestrator.links;

import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Evidence of transfers over paths. Kept for at most {@value #MOST} paths, each for a day after its
 * last transfer, and stored soon after a change. Beyond that the owner with the most paths loses
 * its least recently used one, so that an owner that reports many paths cannot displace those of
 * others.
 */
public final class PathTransfers {
  public static final int MOST = 1_000;

  private static final Duration KEPT = Duration.ofDays(1);
  private static final Duration BETWEEN_SAVES = Duration.ofSeconds(10);

  private final PathTransferStore store;
  private final UnaryOperator<String> who;
  private final Timekeeper time;

  /** The paths, least recently used first. */
  private final Map<PathEnds, Known> paths = new LinkedHashMap<>(16, 0.75f, true);

  private final Set<PathEnds> changed = new HashSet<>();
  private @Nullable PeriodicTask saving;

  /** A path's transfers; times are steady. */
  private record Known(Transfers transfers, Instant updatedAt) {}

  /**
   * Reads the stored paths that are not too old.
   *
   * @param who returns the owner of a path by its {@link PathEnds#from}
   */
  public PathTransfers(PathTransferStore store, UnaryOperator<String> who, Timekeeper time) {
    this.store = store;
    this.who = who;
    this.time = time;
    store.removeBefore(time.timeOfDay(time.steady()).minus(KEPT));
    store
        .all()
        .forEach((path, shown) -> {
          Transfers steady = shown.at(time::steady);
          steady
              .seenSince(time.steady().minus(KEPT))
              .ifPresent(at -> paths.put(path, new Known(steady, at)));
        });
    forgetMost();
  }

  /** Adds the evidence of a transfer to a path. */
  public synchronized void add(PathEnds path, UnaryOperator<Transfers> shown) {
    Transfers after = shown.apply(of(path));
    paths.put(path, new Known(after, time.steady()));
    changed.add(path);
    forgetMost();
  }

  /** Returns the evidence on a path. */
  public synchronized Transfers of(PathEnds path) {
    Known known = paths.get(path);
    return known == null ? Transfers.NONE : known.transfers();
  }

  private void forgetMost() {
    while (paths.size() > MOST) {
      PathEnds eldest = eldestOfMost();
      changed.add(eldest);
      paths.remove(eldest);
    }
  }

  private PathEnds eldestOfMost() {
    Map<String, List<PathEnds>> byOwner = new LinkedHashMap<>();
    paths
        .keySet()
        .forEach(path ->
            byOwner.computeIfAbsent(who.apply(path.from()), _ -> new ArrayList<>()).add(path));
    return Collections.max(byOwner.values(), Comparator.comparingInt(List::size)).getFirst();
  }

  /** Starts to store changes periodically. */
  public void start(String threadName) {
    saving = PeriodicTask.every(BETWEEN_SAVES, threadName, this::save);
  }

  /** Stores pending changes, and stops. */
  public void stop() {
    if (saving != null) {
      saving.close();
    }
    save();
  }

  /** Stores pending changes, and removes paths that are too old. */
  public void save() {
    Map<PathEnds, Optional<Known>> snapshot = new HashMap<>();
    synchronized (this) {
      Instant oldest = time.steady().minus(KEPT);
      paths
          .entrySet()
          .removeIf(one -> {
            boolean old = one.getValue().updatedAt().isBefore(oldest);
            if (old) {
              changed.add(one.getKey());
            }
            return old;
          });
      for (PathEnds path : changed) {
        snapshot.put(path, Optional.ofNullable(paths.get(path)));
      }
      changed.clear();
    }
    snapshot.forEach((path, known) ->
        known.ifPresentOrElse(
            kept ->
                store.save(
                    path, kept.transfers().at(time::timeOfDay), time.timeOfDay(kept.updatedAt())),
            () -> store.remove(path)));
  }
}
