package io.cascade.orchestrator.links;

import io.cascade.orchestrator.time.PeriodicTask;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Evidence of transfers over paths. Kept for the {@value #MOST} paths that were used last, each for
 * a day after its last transfer, and stored soon after a change.
 */
public final class PathTransfers {
  public static final int MOST = 1_000;

  private static final Duration KEPT = Duration.ofDays(1);
  private static final Duration BETWEEN_SAVES = Duration.ofSeconds(10);

  private final PathTransferStore store;
  private final Timekeeper time;

  /** The paths, in the order of their last use. */
  private final Map<PathEnds, Known> paths = new LinkedHashMap<>(16, 0.75f, true);

  private final Set<PathEnds> changed = new HashSet<>();
  private @Nullable PeriodicTask saving;

  /** A path's transfers; times are steady. */
  private record Known(Transfers transfers, Instant updatedAt) {}

  /** Reads what is stored and not too old. */
  public PathTransfers(PathTransferStore store, Timekeeper time) {
    this.store = store;
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

  /** Adds what a transfer has shown of a path. */
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
    Iterator<PathEnds> eldest = paths.keySet().iterator();
    while (paths.size() > MOST) {
      changed.add(eldest.next());
      eldest.remove();
    }
  }

  /** Begins to store what changes. */
  public void start(String threadName) {
    saving = PeriodicTask.every(BETWEEN_SAVES, threadName, this::save);
  }

  /** Stores what has changed, and ends. */
  public void stop() {
    if (saving != null) {
      saving.close();
    }
    save();
  }

  /** Stores what has changed, without what is too old. */
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
