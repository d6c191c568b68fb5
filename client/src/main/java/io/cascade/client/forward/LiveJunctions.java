package io.cascade.client.forward;

import io.cascade.segments.Reason;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The streams of a process, for its end. */
final class LiveJunctions {
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final Set<Junction> live = ConcurrentHashMap.newKeySet();

  void add(Junction junction) {
    live.add(junction);
  }

  void remove(Junction junction) {
    live.remove(junction);
  }

  /** Resets all, and gives each a moment to tell its peer. */
  void shutDown() {
    long deadline = System.nanoTime() + LAST_WORDS.toNanos();
    Set<Junction> ending = Set.copyOf(live);
    ending.forEach(junction -> junction.reset(Reason.SHUTDOWN, ""));
    try {
      for (Junction junction : ending) {
        junction.awaitToldUntil(deadline);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
