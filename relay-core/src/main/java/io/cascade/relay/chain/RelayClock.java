package io.cascade.relay.chain;

import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The two clocks of a relay. Durations are measured by the monotonic clock; the time of day is only
 * displayed, because it may be stepped at any moment.
 *
 * @param wall the time of day
 * @param nanos a monotonic clock with an arbitrary origin, in nanoseconds
 */
public record RelayClock(InstantSource wall, LongSupplier nanos) {

  /** The clocks of this machine. */
  public static RelayClock system() {
    return new RelayClock(InstantSource.system(), System::nanoTime);
  }
}
