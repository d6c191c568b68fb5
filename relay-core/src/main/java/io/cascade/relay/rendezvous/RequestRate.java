package io.cascade.relay.rendezvous;

import io.cascade.relay.admission.ClientSource;
import java.net.InetAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Bounds the requests of each source in a minute. It tracks a bounded number of sources in a
 * minute; further sources share the bound of one. Thread-safe.
 */
final class RequestRate {
  static final int MOST_SOURCES = 16_384;
  private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final String OTHERS = "others";

  private final int most;
  private final LongSupplier nanoClock;
  private final Map<Object, Integer> counts = new HashMap<>();
  private long sinceNanos;

  /**
   * @param most requests of one source in a minute
   */
  RequestRate(int most, LongSupplier nanoClock) {
    this.most = most;
    this.nanoClock = nanoClock;
    this.sinceNanos = nanoClock.getAsLong();
  }

  /** Counts a request; returns false if its source has reached the bound. */
  synchronized boolean admit(InetAddress client) {
    long now = nanoClock.getAsLong();
    if (now - sinceNanos >= MINUTE_NANOS) {
      sinceNanos = now;
      counts.clear();
    }
    Object source = ClientSource.of(client);
    Object counted = counts.containsKey(source) || counts.size() < MOST_SOURCES ? source : OTHERS;
    return counts.merge(counted, 1, Integer::sum) <= most;
  }
}
