package io.cascade.client.forward;

import io.cascade.segments.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Streams of a junction, each with a number, from their beginning to their end. */
final class LiveJunctions {
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final Set<Junction> live = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();
  private final JunctionListener listener;

  LiveJunctions(JunctionListener listener) {
    this.listener = listener;
  }

  /** Connects a stream to its local end. */
  @FunctionalInterface
  interface Beginning {
    void begin(long number) throws IOException;
  }

  /**
   * Runs a stream until it is over.
   *
   * @param ended called then, before the listener is told
   */
  void run(Junction junction, Beginning beginning, Runnable ended) {
    long number = numbers.incrementAndGet();
    live.add(junction);
    try {
      beginning.begin(number);
      while (!junction.awaitOver(Duration.ofHours(1))) {
        // The loop waits without limit: a stream may take hours.
      }
    } catch (IOException e) {
      junction.reset(Reason.LOCAL_RESET, "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ended.run();
      live.remove(junction);
      listener.over(number, junction.report());
    }
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
