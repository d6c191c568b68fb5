package io.cascade.orchestrator.relays;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Decides whether one relay is silent or only late, from the times of its heartbeats, the relays
 * that reach it, and its control port.
 *
 * <p>A silence counts when it is longer than usual for this relay, by the φ accrual failure
 * detector (Hayashibara, Défago, Yared, Katayama, SRDS 2004): {@code φ(t) = −log10(P(a heartbeat
 * comes later than t))}, where the times of heartbeats are normally distributed with the mean and
 * the deviation of those before. At φ = 8, the threshold of Akka and Cassandra, {@code t} is 5.61
 * deviations above the mean. The mean and the variance are of the time beyond the requested
 * interval, since that changes, and exponentially weighted (Finch, Incremental calculation of
 * weighted mean and variance, 2009, section 9), instead of a window.
 *
 * <p>Times are steady. Not thread-safe.
 */
final class RelaySilence {
  /** Standard deviations above the mean at which φ is 8: the upper tail there is 10⁻⁸. */
  private static final double DEVIATIONS = 5.61;

  /** Weight of the latest heartbeat. */
  private static final double ALPHA = 1.0 / 32;

  /**
   * Least intervals of a silence: one missing heartbeat is never enough, however regular the others
   * were.
   */
  private static final double LEAST_INTERVALS = 2.5;

  /** Intervals after which the relay's process is checked. */
  private static final double OVERDUE_INTERVALS = 1.5;

  /**
   * Limits what one long silence adds to the usual delay, so that the next one is noticed in time.
   */
  private static final int MOST_OF_LEAST = 3;

  private final HeartbeatIntervals heartbeats;
  private Duration asked;
  private double meanLateness;
  private double variance;
  private boolean refused;

  /** Relays whose latest probes of this relay were answered, with the time of their report. */
  private final TreeMap<String, Instant> hearers = new TreeMap<>();

  RelaySilence(HeartbeatIntervals heartbeats) {
    this.heartbeats = heartbeats;
    this.asked = heartbeats.interval();
  }

  /** Records the interval that the relay was told to wait until its next heartbeat. */
  void asked(Duration interval) {
    asked = interval;
  }

  /**
   * Records a heartbeat.
   *
   * @param before time of the heartbeat before
   */
  void heard(Instant before, Instant now) {
    Duration late = Duration.between(before, now).minus(asked);
    double seconds = HeartbeatIntervals.seconds(HeartbeatIntervals.shorter(late, most()));
    double difference = Math.max(0, seconds) - meanLateness;
    meanLateness += ALPHA * difference;
    variance = (1 - ALPHA) * (variance + ALPHA * difference * difference);
    refused = false;
  }

  /** Records whether another relay's probes of this one were answered. */
  void probed(String by, boolean answered, Instant now) {
    if (answered) {
      hearers.put(by, now);
    } else {
      hearers.remove(by);
    }
  }

  /**
   * Records that its process has ended: its control connection has, or no process listens at its
   * control port.
   */
  void refused() {
    refused = true;
  }

  /** Whether a silence is long enough to check whether the process has ended. */
  boolean isOverdue(Duration silence) {
    Duration due =
        HeartbeatIntervals.longer(heartbeats.lostAfter(), times(asked, OVERDUE_INTERVALS));
    return silence.compareTo(due) > 0;
  }

  /** The sign derived from a silence; empty while the relay may only be late. */
  Optional<RelaySign> sign(Instant heardAt, Instant now) {
    Duration silence = Duration.between(heardAt, now);
    if (silence.compareTo(limit()) > 0) {
      return Optional.of(hearers(now).isEmpty() ? RelaySign.UNHEARD : RelaySign.HEARD_BY_OTHERS);
    }
    return refused && isOverdue(silence) && hearers(now).isEmpty()
        ? Optional.of(RelaySign.REFUSED)
        : Optional.empty();
  }

  /** The relays that lately reported answers of this one, by name. */
  Collection<String> hearers(Instant now) {
    hearers.values().removeIf(at -> at.isBefore(now.minus(least())));
    return hearers.navigableKeySet();
  }

  /** The longest silence that is usual for this relay. */
  Duration limit() {
    double late = meanLateness + DEVIATIONS * Math.sqrt(variance);
    Duration usual = asked.plusNanos((long) (late * 1e9));
    return HeartbeatIntervals.longer(least(), HeartbeatIntervals.shorter(usual, most()));
  }

  private Duration least() {
    return HeartbeatIntervals.longer(heartbeats.leastSilence(), times(asked, LEAST_INTERVALS));
  }

  private Duration most() {
    return heartbeats.leastSilence().multipliedBy(MOST_OF_LEAST);
  }

  private static Duration times(Duration duration, double factor) {
    return Duration.ofNanos((long) (duration.toNanos() * factor));
  }
}
