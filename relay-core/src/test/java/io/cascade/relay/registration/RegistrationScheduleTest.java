package io.cascade.relay.registration;

import static io.cascade.relay.registration.RegistrationSchedule.Stage.REGISTERED;
import static io.cascade.relay.registration.RegistrationSchedule.Stage.REPLACED;
import static io.cascade.relay.registration.RegistrationSchedule.Stage.RETURNING;
import static io.cascade.relay.registration.RegistrationSchedule.Stage.STARTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class RegistrationScheduleTest {
  private static final Duration BEAT = Duration.ofSeconds(2);
  private static final CallOutcome INSTRUCTED = new CallOutcome.Instructed(BEAT);
  private static final CallOutcome FORGOTTEN = new CallOutcome.Forgotten();
  private static final CallOutcome AWAY = new CallOutcome.Away("away");
  private static final CallOutcome REJECTED = new CallOutcome.Rejected("rejected");
  private static final CallOutcome REPLACED_BY_ANOTHER = new CallOutcome.Replaced("newer");

  private final RegistrationSchedule schedule =
      new RegistrationSchedule(new SplittableRandom(6298), false);

  /** All pairs of a stage and an outcome. A wait of null is a back-off. */
  @ParameterizedTest
  @MethodSource
  void movesOn(
      RegistrationSchedule.Stage from,
      CallOutcome outcome,
      RegistrationSchedule.Stage to,
      Duration expectedWait) {
    if (from != STARTING) {
      schedule.after(INSTRUCTED);
    }
    if (from == RETURNING) {
      schedule.after(FORGOTTEN);
    }
    assertThat(schedule.stage()).isEqualTo(from);
    Duration wait = schedule.after(outcome);
    assertThat(schedule.stage()).isEqualTo(to);
    if (expectedWait.isNegative()) {
      assertThat(wait)
          .isBetween(RegistrationSchedule.LEAST_WAIT, RegistrationSchedule.MOST_WAIT_REFUSED);
    } else {
      assertThat(wait).isEqualTo(expectedWait);
    }
  }

  static Stream<Arguments> movesOn() {
    Duration backOff = Duration.ofSeconds(-1);
    return Stream.of(
        Arguments.of(STARTING, INSTRUCTED, REGISTERED, BEAT),
        Arguments.of(STARTING, FORGOTTEN, STARTING, backOff),
        Arguments.of(STARTING, REPLACED_BY_ANOTHER, REPLACED, Duration.ZERO),
        Arguments.of(STARTING, REJECTED, STARTING, backOff),
        Arguments.of(STARTING, AWAY, STARTING, backOff),
        Arguments.of(RETURNING, INSTRUCTED, REGISTERED, BEAT),
        Arguments.of(RETURNING, FORGOTTEN, RETURNING, backOff),
        Arguments.of(RETURNING, REPLACED_BY_ANOTHER, RETURNING, backOff),
        Arguments.of(RETURNING, REJECTED, RETURNING, backOff),
        Arguments.of(RETURNING, AWAY, RETURNING, backOff),
        Arguments.of(REGISTERED, INSTRUCTED, REGISTERED, BEAT),
        Arguments.of(REGISTERED, FORGOTTEN, RETURNING, Duration.ZERO),
        Arguments.of(REGISTERED, REPLACED_BY_ANOTHER, RETURNING, Duration.ZERO),
        Arguments.of(REGISTERED, REJECTED, REGISTERED, backOff),
        Arguments.of(REGISTERED, AWAY, REGISTERED, backOff));
  }

  @Test
  void inThePlaceOfAnotherProcessItServesAlreadyAndIsNotReplaced() {
    RegistrationSchedule inPlace = new RegistrationSchedule(new SplittableRandom(1), true);
    inPlace.after(REPLACED_BY_ANOTHER);
    assertThat(inPlace.stage()).isEqualTo(RETURNING);
  }

  @Test
  void saysNothingOnceReplaced() {
    schedule.after(REPLACED_BY_ANOTHER);
    for (CallOutcome outcome :
        new CallOutcome[] {INSTRUCTED, FORGOTTEN, REPLACED_BY_ANOTHER, AWAY}) {
      assertThatThrownBy(() -> schedule.after(outcome)).isInstanceOf(IllegalStateException.class);
    }
    assertThat(schedule.stage()).isEqualTo(REPLACED);
  }

  @Test
  void waitsUpToFiveSecondsWhereItIsRefused() {
    Duration longest = Duration.ZERO;
    for (int refusal = 0; refusal < 200; refusal++) {
      Duration wait = schedule.after(REJECTED);
      longest = wait.compareTo(longest) > 0 ? wait : longest;
    }
    assertThat(longest).isBetween(Duration.ofSeconds(4), RegistrationSchedule.MOST_WAIT_REFUSED);
  }

  @Test
  void waitsLongerTheOftenerItFailsButNeverLongerThanThreeSeconds() {
    Duration[] bounds = {
      Duration.ofMillis(400),
      Duration.ofMillis(800),
      Duration.ofMillis(1_600),
      Duration.ofSeconds(3)
    };
    for (int failure = 0; failure < 200; failure++) {
      Duration bound = bounds[Math.min(failure, bounds.length - 1)];
      assertThat(schedule.after(AWAY)).isBetween(RegistrationSchedule.LEAST_WAIT, bound);
    }
  }

  @Test
  void startsWithShortWaitsAgainAfterAnAnswer() {
    for (int failure = 0; failure < 10; failure++) {
      schedule.after(AWAY);
    }
    schedule.after(INSTRUCTED);
    assertThat(schedule.after(AWAY)).isLessThanOrEqualTo(Duration.ofMillis(400));
  }

  @Test
  void doesNotWaitEquallyLongTwice() {
    RegistrationSchedule other = new RegistrationSchedule(new SplittableRandom(1), false);
    Stream.generate(() -> AWAY).limit(10).forEach(schedule::after);
    Stream.generate(() -> AWAY).limit(10).forEach(other::after);
    assertThat(schedule.after(AWAY)).isNotEqualTo(other.after(AWAY));
  }

  @ParameterizedTest
  @CsvSource({"PT0S, PT0.05S", "PT-3S, PT0.05S", "PT9000S, PT300S", "PT5S, PT5S"})
  void keepsTheIntervalWithinReason(Duration instructed, Duration wait) {
    assertThat(schedule.after(new CallOutcome.Instructed(instructed))).isEqualTo(wait);
  }

  @ParameterizedTest
  @CsvSource({
    "400, Rejected",
    "401, Rejected",
    "403, Rejected",
    "404, Forgotten",
    "409, Rejected",
    "413, Rejected",
    "422, Rejected",
    "429, Away",
    "500, Away",
    "502, Away",
    "503, Away"
  })
  void readsAnswers(int status, String expected) {
    CallOutcome outcome =
        CallOutcome.of(new ProblemException("about:blank", status, "reason", null));
    assertThat(outcome.getClass().getSimpleName()).isEqualTo(expected);
  }

  @Test
  void knowsWhenALaterStartHasTheName() {
    String kind = "urn:cascade:problem:relay-superseded";
    assertThat(CallOutcome.of(new ProblemException(kind, 409, "reason", null)))
        .isEqualTo(new CallOutcome.Replaced("reason"));
  }

  @Test
  void takesEverythingElseForSilence() {
    URI server = URI.create("http://o");
    assertThat(CallOutcome.of(new UnreachableException(server, new IOException("broken"))))
        .isEqualTo(new CallOutcome.Away("no answer from http://o: broken"));
    assertThat(CallOutcome.of(new IllegalStateException("odd")))
        .isInstanceOf(CallOutcome.Away.class);
  }
}
