package io.cascade.client.forward;

import io.cascade.segments.Reason;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Streams of a junction, each with a number, from their beginning to their end. */
final class LiveJunctions {
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final Set<ForwardedStream> live = ConcurrentHashMap.newKeySet();
  private final AtomicLong numbers = new AtomicLong();
  private final JunctionListener listener;

  LiveJunctions(JunctionListener listener) {
    this.listener = listener;
  }

  /** Starts the threads that dial a stream's pipes, or its destination. */
  @FunctionalInterface
  interface Beginning {
    void begin(long number);
  }

  /**
   * Runs a stream until it has ended and the connection of its own side, which may read the last
   * bytes later, is closed.
   *
   * @param ended called then, before the listener is told
   */
  void run(ForwardedStream stream, Beginning beginning, Runnable ended) {
    long number = numbers.incrementAndGet();
    live.add(stream);
    try {
      beginning.begin(number);
    } catch (RuntimeException | Error e) { // Only this stream fails, and releases its place.
      stream.reset(Reason.LOCAL_RESET, "");
    }
    StreamReport report;
    try {
      report = stream.report();
      stream.awaitOwnClosed();
    } finally {
      live.remove(stream);
      ended.run();
    }
    listener.over(number, report);
  }

  /** Resets all streams, and allows each a moment to notify its peer. */
  void shutDown() {
    long deadline = System.nanoTime() + LAST_WORDS.toNanos();
    Set<ForwardedStream> ending = Set.copyOf(live);
    ending.forEach(stream -> stream.reset(Reason.SHUTDOWN, ""));
    try {
      for (ForwardedStream stream : ending) {
        stream.awaitPipesUntil(deadline);
        stream.closeOwn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
