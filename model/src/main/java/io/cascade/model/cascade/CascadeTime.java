package io.cascade.model.cascade;

import io.cascade.model.units.Require;

/**
 * The times at which a finite transfer through a cascade starts, ends and drains.
 *
 * <p>All in seconds; infinite if some hop delivers nothing.
 *
 * @param setupSeconds until the source may send
 * @param fillSeconds from the first packet's leaving the source to its arrival at the destination
 * @param drainSeconds from the last packet's leaving the source to its arrival, with relays that
 *     can buffer everything: how long the cascade continues to deliver after the sender is done
 * @param totalSeconds from the source's first packet to the last byte's arrival
 */
public record CascadeTime(
    double setupSeconds, double fillSeconds, double drainSeconds, double totalSeconds) {

  /** The time that {@code cascade} needs for {@code bytes}. */
  public static CascadeTime of(Cascade cascade, long bytes) {
    Require.atLeast("bytes", bytes, 1);
    double setup = cascade.setupSeconds();
    if (cascade.steadyBitsPerSecond() == 0) {
      return new CascadeTime(
          setup, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    DeliverySchedule schedule = DeliverySchedule.of(cascade, bytes);
    return new CascadeTime(
        setup,
        schedule.firstArrivalSeconds(),
        schedule.lastArrivalSeconds() - schedule.sourceDoneSeconds(),
        setup + schedule.lastArrivalSeconds());
  }

  /** Bytes delivered per second of the whole time, as bits. */
  public double goodputBitsPerSecond(long bytes) {
    return 8.0 * bytes / totalSeconds;
  }
}
