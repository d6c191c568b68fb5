package io.cascade.relay.thread;

import io.netty.util.concurrent.EventExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Detects blocked event loops: each loop records the time repeatedly. One that has not done so for
 * {@link #LONGEST} is blocked, and none of its streams moves. Thread-safe.
 */
public final class LoopPulses {
  /** The longest time between two records of a loop that is not blocked. */
  public static final Duration LONGEST = Duration.ofSeconds(10);

  private static final Duration BETWEEN = Duration.ofSeconds(2);

  private final LongSupplier nanos;
  private final List<AtomicLong> notedAt = new ArrayList<>();

  /**
   * @param loops each runs the given task repeatedly
   * @param nanos the monotonic clock
   */
  LoopPulses(List<Consumer<Runnable>> loops, LongSupplier nanos) {
    this.nanos = nanos;
    for (Consumer<Runnable> loop : loops) {
      AtomicLong noted = new AtomicLong(nanos.getAsLong());
      notedAt.add(noted);
      loop.accept(() -> noted.set(nanos.getAsLong()));
    }
  }

  /**
   * Begins to watch event loops until they end.
   *
   * @param nanos the monotonic clock
   */
  public static LoopPulses of(Iterable<EventExecutor> loops, LongSupplier nanos) {
    List<Consumer<Runnable>> repeating = new ArrayList<>();
    for (EventExecutor loop : loops) {
      repeating.add(note -> {
        Future<?> _ =
            loop.scheduleWithFixedDelay(note, 0, BETWEEN.toMillis(), TimeUnit.MILLISECONDS);
      });
    }
    return new LoopPulses(repeating, nanos);
  }

  /** Number of event loops that are blocked. */
  public int blocked() {
    long now = nanos.getAsLong();
    return (int) notedAt.stream().filter(at -> now - at.get() > LONGEST.toNanos()).count();
  }
}
