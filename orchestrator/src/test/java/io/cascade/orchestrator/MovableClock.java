package io.cascade.orchestrator;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;

/** The real time of day, moved forward by tests. */
final class MovableClock extends Clock {
  private final Clock real = Clock.systemUTC();
  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

  /** From now on so much ahead of the real one. */
  void ahead(Duration by) {
    ahead.set(by);
  }

  @Override
  public Instant instant() {
    return real.instant().plus(ahead.get());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
