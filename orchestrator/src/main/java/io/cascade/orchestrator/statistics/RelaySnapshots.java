package io.cascade.orchestrator.statistics;

import io.cascade.orchestrator.chains.RelayCalls;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayControls;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Takes snapshots of the relays on request, and keeps some, so that the next one can be compared
 * with an earlier one. Without requests relays are not called.
 */
@Component
class RelaySnapshots {
  /** Time for which a snapshot is reused for further requests. */
  private static final Duration FRESH = Duration.ofMillis(500);

  /** Least time between compared snapshots: rates over less time vary at random. */
  private static final Duration LEAST_APART = Duration.ofMillis(900);

  private static final Duration REMEMBERED = Duration.ofMinutes(2);
  private static final Duration TIMEOUT = Duration.ofSeconds(3);
  private static final int MOST_SNAPSHOTS = 16;

  private final RelayRegistry relays;
  private final RelayControls controls;
  private final RelayCalls calls;
  private final Timekeeper time;
  private final ReentrantLock looking = new ReentrantLock();

  /** Newest first. */
  private final Deque<RelaySnapshot> snapshots = new ArrayDeque<>();

  RelaySnapshots(RelayRegistry relays, RelayControls controls, RelayCalls calls, Timekeeper time) {
    this.relays = relays;
    this.controls = controls;
    this.calls = calls;
    this.time = time;
  }

  /** A snapshot and an earlier one for comparison; null if there is none. */
  record Pair(RelaySnapshot now, @Nullable RelaySnapshot before) {

    /** Time between the two; NaN if there is only one. */
    double seconds() {
      return before == null ? Double.NaN : (now.mark() - before.mark()) / 1e9;
    }
  }

  /** Calls all relays in parallel, unless a snapshot is fresh. Blocks. */
  Pair pair() {
    looking.lock();
    try {
      RelaySnapshot newest = snapshots.peekFirst();
      if (newest == null || time.passed(newest.mark(), FRESH)) {
        newest = ask();
        remember(newest);
      }
      return new Pair(newest, before(newest));
    } finally {
      looking.unlock();
    }
  }

  private RelaySnapshot ask() {
    List<RegisteredRelay> asked = relays.all().stream().filter(relay -> !relay.isGone()).toList();
    Map<RegisteredRelay, Optional<RelaySnapshot.Answer>> answers =
        calls.atOnce(
            asked,
            relay -> Optional.of(RelaySnapshot.Answer.of(controls.of(relay).list(TIMEOUT))),
            (_, _) -> Optional.empty());
    Map<String, RelaySnapshot.Answer> answered = new HashMap<>();
    answers.forEach((relay, answer) -> answer.ifPresent(one -> answered.put(relay.name(), one)));
    return new RelaySnapshot(time.mark(), time.now(), Map.copyOf(answered));
  }

  private void remember(RelaySnapshot snapshot) {
    snapshots.addFirst(snapshot);
    while (snapshots.size() > MOST_SNAPSHOTS
        || time.passed(snapshots.getLast().mark(), REMEMBERED)) {
      snapshots.removeLast();
    }
  }

  private @Nullable RelaySnapshot before(RelaySnapshot newest) {
    Iterator<RelaySnapshot> newestFirst = snapshots.iterator();
    while (newestFirst.hasNext()) {
      RelaySnapshot snapshot = newestFirst.next();
      if (newest.mark() - snapshot.mark() >= LEAST_APART.toNanos()) {
        return snapshot;
      }
    }
    return null;
  }
}
