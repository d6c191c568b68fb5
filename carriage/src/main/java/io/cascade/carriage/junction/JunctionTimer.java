package io.cascade.carriage.junction;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The one timer of a junction, on the event loop that owns it. */
final class JunctionTimer {
  private final EventLoop loop;
  private final LongSupplier nanoTime;
  private final Runnable task;
  private long dueNanos = Long.MAX_VALUE;
  private @Nullable ScheduledFuture<?> armed;

  /**
   * @param task run when it is due; schedules its next run
   */
  JunctionTimer(EventLoop loop, LongSupplier nanoTime, Runnable task) {
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.task = task;
  }

  /** Runs the task at this time or earlier; {@link Long#MAX_VALUE} for never. */
  void at(long due) {
    if (due == Long.MAX_VALUE || (armed != null && dueNanos - due <= 0)) {
      return; // an early run does no harm, and most deadlines are postponed
    }
    cancel();
    dueNanos = due;
    arm(Math.max(0, due - nanoTime.getAsLong()), task);
  }

  /** Runs another task after a delay, in place of the usual one. */
  void after(long nanos, Runnable last) {
    cancel();
    arm(nanos, last);
  }

  private void arm(long nanos, Runnable what) {
    armed =
        loop.schedule(
            () -> {
              armed = null;
              dueNanos = Long.MAX_VALUE;
              what.run();
            },
            nanos,
            TimeUnit.NANOSECONDS);
  }

  void cancel() {
    ScheduledFuture<?> before = armed;
    armed = null;
    dueNanos = Long.MAX_VALUE;
    if (before != null) {
      before.cancel(false);
    }
  }
}
