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
 * Tells whether event loops turn: each notes the time again and again. One that has not for {@link
 * #LONGEST} is blocked, and all streams that it has stand still. Thread-safe.
 */
public final class LoopPulses {
  /** The longest time between two notes of a loop that turns. */
  public static final Duration LONGEST = Duration.ofSeconds(10);

  private static final Duration BETWEEN = Duration.ofSeconds(2);

  private final LongSupplier nanos;
  private final List<AtomicLong> notedAt = new ArrayList<>();

  /**
   * @param loops each repeats what it is given
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
   * Begins to watch event loops, until these end.
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
