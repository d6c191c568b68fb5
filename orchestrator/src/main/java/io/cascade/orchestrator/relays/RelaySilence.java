package io.cascade.orchestrator.relays;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What tells whether one relay is silent or only late: the heartbeats that it sent so far, the
 * relays that hear it, and its control port.
 *
 * <p>Silence counts when it is longer than is usual for this relay, by the φ accrual failure
 * detector (Hayashibara, Défago, Yared, Katayama, SRDS 2004): {@code φ(t) = −log10(P(a heartbeat
 * comes later than t))}, where the times of heartbeats are normally distributed with the mean and
 * the deviation of those before. At φ = 8, the threshold that Akka and Cassandra have, {@code t} is
 * 5.61 deviations above the mean. The mean and the variance are of the time beyond the interval
 * that was asked for, since that changes, and exponentially weighted (Finch, Incremental
 * calculation of weighted mean and variance, 2009, section 9), in the place of a window.
 *
 * <p>Times are steady. Not thread-safe.
 */
final class RelaySilence {
  /** Standard deviations above the mean at which φ is 8: the upper tail there is 10⁻⁸. */
  private static final double DEVIATIONS = 5.61;

  /** Weight of the latest heartbeat. */
  private static final double ALPHA = 1.0 / 32;

  /** One missing heartbeat is never enough, however regular the others were. */
  private static final double LEAST_INTERVALS = 2.5;

  /** Intervals after which it is worth asking whether its process is there. */
  private static final double OVERDUE_INTERVALS = 1.5;

  /** A single long silence must not make the next one unnoticed. */
  private static final int MOST_OF_LEAST = 3;

  private final HeartbeatIntervals heartbeats;
  private Duration asked;
  private double meanLateness;
  private double variance;
  private boolean refused;

  /** Relays whose latest probes of it were answered, and when they said so. */
  private final TreeMap<String, Instant> hearers = new TreeMap<>();

  RelaySilence(HeartbeatIntervals heartbeats) {
    this.heartbeats = heartbeats;
    this.asked = heartbeats.interval();
  }

  /** It was told to send its next heartbeat after this interval. */
  void asked(Duration interval) {
    asked = interval;
  }

  /**
   * It has sent a heartbeat.
   *
   * @param before when the one before came
   */
  void heard(Instant before, Instant now) {
    Duration late = Duration.between(before, now).minus(asked);
    double seconds = HeartbeatIntervals.seconds(HeartbeatIntervals.shorter(late, most()));
    double difference = Math.max(0, seconds) - meanLateness;
    meanLateness += ALPHA * difference;
    variance = (1 - ALPHA) * (variance + ALPHA * difference * difference);
    refused = false;
  }

  /** Another relay says whether its probes of this one were answered. */
  void probed(String by, boolean answered, Instant now) {
    if (answered) {
      hearers.put(by, now);
    } else {
      hearers.remove(by);
    }
  }

  /** Its process has ended: its control connection has, or nobody listens at its control port. */
  void refused() {
    refused = true;
  }

  /** Whether so long a silence makes it worth asking whether its process has ended. */
  boolean isOverdue(Duration silence) {
    Duration due =
        HeartbeatIntervals.longer(heartbeats.lostAfter(), times(asked, OVERDUE_INTERVALS));
    return silence.compareTo(due) > 0;
  }

  /** The sign that a silence is; empty where it may still end by itself. */
  Optional<RelaySign> sign(Instant heardAt, Instant now) {
    Duration silence = Duration.between(heardAt, now);
    if (silence.compareTo(limit()) > 0) {
      return Optional.of(hearers(now).isEmpty() ? RelaySign.UNHEARD : RelaySign.HEARD_BY_OTHERS);
    }
    return refused && isOverdue(silence) && hearers(now).isEmpty()
        ? Optional.of(RelaySign.REFUSED)
        : Optional.empty();
  }

  /** The relays that hear it, as far as they have said so lately, by name. */
  Collection<String> hearers(Instant now) {
    hearers.values().removeIf(at -> at.isBefore(now.minus(least())));
    return hearers.navigableKeySet();
  }

  /** The longest silence that is usual for it. */
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
