package io.cascade.relay.throughput;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Nanoseconds that pass when a test says so. */
final class ManualClock implements LongSupplier {
  private long nanos = Long.MAX_VALUE - 1_000; // wraps, as the system's may

  @Override
  public long getAsLong() {
    return nanos;
  }

  void pass(Duration time) {
    nanos += time.toNanos();
  }
}
