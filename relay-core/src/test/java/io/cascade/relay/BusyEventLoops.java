package io.cascade.relay;

import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Leaves event loops no time but what they need: once a round each has more to do than time. */
final class BusyEventLoops implements AutoCloseable {
  private final List<Future<?>> tasks = new ArrayList<>();

  BusyEventLoops(Iterable<EventExecutor> loops) {
    for (EventExecutor loop : loops) {
      tasks.add(
          loop.scheduleAtFixedRate(
              () -> LockSupport.parkNanos(2_000_000), 0, 1, TimeUnit.MILLISECONDS));
    }
  }

  @Override
  public void close() {
    tasks.forEach(task -> task.cancel(false));
  }
}
