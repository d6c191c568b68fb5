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
 * <p>Only the answer to a relay's first registration ends it. Answers carry no proof of who gave
 * them, and a relay that was registered may carry chains: whoever can put answers in the place of
 * the orchestrator's must not be able to end those.
 *
 * <p>Backing off waits for a random time below a bound that doubles from 0.4 s to 3 s where the
 * orchestrator is away (to 5 s where it refuses), and for no less than 0.2 s, so that relays do not
 * come back all at once, and an orchestrator that is back has heard of all of them 3 s later.
 */
final class RegistrationSchedule {
  static final Duration LEAST_WAIT = Duration.ofMillis(200);
  static final Duration MOST_WAIT = Duration.ofSeconds(3);

  /** Longer: whoever is refused uses up the failures that its address may have. */
  static final Duration MOST_WAIT_REFUSED = Duration.ofSeconds(5);

  static final Duration LEAST_HEARTBEAT = Duration.ofMillis(50);
  static final Duration MOST_HEARTBEAT = Duration.ofMinutes(5);

  private final RandomGenerator random;
  private Stage stage;
  private int failures;

  /**
   * @param serving whether the relay serves already, in the place of a process that was registered
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
    /** Registered before, and registering again. */
    RETURNING,
    /** Ended, for a later start of the relay is registered. */
    REPLACED
  }

  Stage stage() {
    return stage;
  }

  /**
   * Moves on after a call.
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
