package io.cascade.client.transfer.connection;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Closes a connection on which no byte is moved: a blocking channel has no time-out of its own.
 * {@link #moved} is called by the thread that moves bytes, the rest by a timer.
 */
public final class StallGuard implements AutoCloseable {
  private static final ScheduledExecutorService TIMER =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("stall-guard").factory());

  private final Closeable connection;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private final ScheduledFuture<?> task;
  private volatile long movedAt;
  private volatile boolean stalled;

  /**
   * @param patience how long no byte may be moved
   */
  public StallGuard(Closeable connection, Duration patience) {
    this(connection, patience, System::nanoTime);
  }

  StallGuard(Closeable connection, Duration patience, LongSupplier nanoTime) {
    this.connection = connection;
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.movedAt = nanoTime.getAsLong();
    long period = Math.clamp(patience.toMillis() / 4, 10, 1_000);
    this.task = TIMER.scheduleAtFixedRate(this::check, period, period, TimeUnit.MILLISECONDS);
  }

  /** Records that a byte has been moved. */
  public void moved() {
    movedAt = nanoTime.getAsLong();
  }

  /** Time since the last byte was moved. */
  public Duration idle() {
    return Duration.ofNanos(nanoTime.getAsLong() - movedAt);
  }

  /** Whether it has closed the connection. */
  public boolean stalled() {
    return stalled;
  }

  Duration patience() {
    return patience;
  }

  private void check() {
    if (!stalled && nanoTime.getAsLong() - movedAt > patience.toNanos()) {
      stalled = true;
      try {
        connection.close();
      } catch (IOException e) {
        // It was to be closed anyway.
      }
    }
  }

  @Override
  public void close() {
    task.cancel(false);
  }
}
