package io.cascade.relay.registration;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Decides which call a relay makes next to its orchestrator, and when.
 *
 * <pre>
 *                 instructed             forgotten          replaced           rejected, away
 *   STARTING      REGISTERED, interval   itself, back off   REPLACED           itself, back off
 *   REGISTERED    itself, interval       RETURNING, now     RETURNING, now     itself, back off
 *   RETURNING     REGISTERED, interval   itself, back off   itself, back off   itself, back off
 *   REPLACED      (makes no more calls)
 * </pre>
 *
 * <p>Only the answer to a relay's first registration ends the relay. Answers do not authenticate
 * their sender, and a registered relay may carry chains: a party that can forge the orchestrator's
 * answers must not be able to end those.
 *
 * <p>Backing off waits for a random time below a bound that doubles from 0.4 s to 3 s if the
 * orchestrator does not answer (to 5 s if it refuses), and for at least 0.2 s. So relays do not
 * return all at once, and an orchestrator that returns has heard from all of them within 3 s.
 */
final class RegistrationSchedule {
  static final Duration LEAST_WAIT = Duration.ofMillis(200);
  static final Duration MOST_WAIT = Duration.ofSeconds(3);

  /** Longer, since refused calls use up the failures that the orchestrator allows an address. */
  static final Duration MOST_WAIT_REFUSED = Duration.ofSeconds(5);

  static final Duration LEAST_HEARTBEAT = Duration.ofMillis(50);
  static final Duration MOST_HEARTBEAT = Duration.ofMinutes(5);

  private final RandomGenerator random;
  private Stage stage;
  private int failures;

  /**
   * @param serving whether the relay already serves, in place of a process that was registered
   */
  RegistrationSchedule(RandomGenerator random, boolean serving) {
    this.random = random;
    this.stage = serving ? Stage.RETURNING : Stage.STARTING;
  }

  /** Stage of the registration. */
  enum Stage {
    /** Not registered yet. */
    STARTING,
    REGISTERED,
    /** Was registered before, and is registering again. */
    RETURNING,
    /** Ended, since a later start of the relay is registered. */
    REPLACED
  }

  Stage stage() {
    return stage;
  }

  /**
   * Changes the stage after a call.
   *
   * @return how long to wait before the next one
   */
  Duration after(CallOutcome outcome) {
    if (stage == Stage.REPLACED) {
      throw new IllegalStateException("a replaced relay makes no calls");
    }
    return switch (outcome) {
      case CallOutcome.Instructed(Duration heartbeat) -> {
        stage = Stage.REGISTERED;
        failures = 0;
        yield clamp(heartbeat);
      }
      case CallOutcome.Forgotten _, CallOutcome.Replaced _ when stage == Stage.REGISTERED -> {
        stage = Stage.RETURNING;
        yield Duration.ZERO;
      }
      case CallOutcome.Replaced _ when stage == Stage.STARTING -> {
        stage = Stage.REPLACED;
        yield Duration.ZERO;
      }
      case CallOutcome.Away _ -> backOff(MOST_WAIT);
      case CallOutcome.Forgotten _, CallOutcome.Replaced _, CallOutcome.Rejected _ ->
          backOff(MOST_WAIT_REFUSED);
    };
  }

  private Duration backOff(Duration longest) {
    long bound = LEAST_WAIT.toMillis() << Math.min(++failures, 10);
    long most = Math.min(bound, longest.toMillis());
    return Duration.ofMillis(random.nextLong(LEAST_WAIT.toMillis(), most + 1));
  }

  private static Duration clamp(Duration heartbeat) {
    if (heartbeat.compareTo(LEAST_HEARTBEAT) < 0) {
      return LEAST_HEARTBEAT;
    }
    return heartbeat.compareTo(MOST_HEARTBEAT) > 0 ? MOST_HEARTBEAT : heartbeat;
  }
}
