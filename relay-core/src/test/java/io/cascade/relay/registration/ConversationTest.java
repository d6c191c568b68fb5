package io.cascade.relay.registration;

import static io.cascade.relay.registration.Conversation.Stage.BEATING;
import static io.cascade.relay.registration.Conversation.Stage.REGISTERING;
import static io.cascade.relay.registration.Conversation.Stage.REPLACED;
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

class ConversationTest {
  private static final Duration BEAT = Duration.ofSeconds(2);
  private static final Outcome INSTRUCTED = new Outcome.Instructed(BEAT);
  private static final Outcome FORGOTTEN = new Outcome.Forgotten();
  private static final Outcome AWAY = new Outcome.Away("away");
  private static final Outcome REJECTED = new Outcome.Rejected("rejected");
  private static final Outcome REPLACED_BY_ANOTHER = new Outcome.Replaced("newer");

  private final Conversation conversation = new Conversation(new SplittableRandom(6298));

  /** All pairs of a stage and an outcome. A wait of null is a back-off. */
  @ParameterizedTest
  @MethodSource
  void movesOn(
      Conversation.Stage from, Outcome outcome, Conversation.Stage to, Duration expectedWait) {
    if (from == BEATING) {
      conversation.after(INSTRUCTED);
    }
    Duration wait = conversation.after(outcome);
    assertThat(conversation.stage()).isEqualTo(to);
    if (expectedWait.isNegative()) {
      assertThat(wait).isBetween(Conversation.LEAST_WAIT, Conversation.MOST_WAIT);
    } else {
      assertThat(wait).isEqualTo(expectedWait);
    }
  }

  static Stream<Arguments> movesOn() {
    Duration backOff = Duration.ofSeconds(-1);
    return Stream.of(
        Arguments.of(REGISTERING, INSTRUCTED, BEATING, BEAT),
        Arguments.of(REGISTERING, FORGOTTEN, REGISTERING, backOff),
        Arguments.of(REGISTERING, REPLACED_BY_ANOTHER, REPLACED, Duration.ZERO),
        Arguments.of(REGISTERING, REJECTED, REGISTERING, backOff),
        Arguments.of(REGISTERING, AWAY, REGISTERING, backOff),
        Arguments.of(BEATING, INSTRUCTED, BEATING, BEAT),
        Arguments.of(BEATING, FORGOTTEN, REGISTERING, Duration.ZERO),
        Arguments.of(BEATING, REPLACED_BY_ANOTHER, REGISTERING, Duration.ZERO),
        Arguments.of(BEATING, REJECTED, BEATING, backOff),
        Arguments.of(BEATING, AWAY, BEATING, backOff));
  }

  @Test
  void saysNothingOnceReplaced() {
    conversation.after(REPLACED_BY_ANOTHER);
    for (Outcome outcome : new Outcome[] {INSTRUCTED, FORGOTTEN, REPLACED_BY_ANOTHER, AWAY}) {
      assertThatThrownBy(() -> conversation.after(outcome))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(conversation.stage()).isEqualTo(REPLACED);
  }

  @Test
  void waitsLongerTheOftenerItFailsButNeverLongerThanFiveSeconds() {
    Duration[] bounds = {
      Duration.ofMillis(400),
      Duration.ofMillis(800),
      Duration.ofMillis(1_600),
      Duration.ofMillis(3_200),
      Duration.ofSeconds(5)
    };
    for (int failure = 0; failure < 200; failure++) {
      Duration bound = bounds[Math.min(failure, bounds.length - 1)];
      assertThat(conversation.after(AWAY)).isBetween(Conversation.LEAST_WAIT, bound);
    }
  }

  @Test
  void startsWithShortWaitsAgainAfterAnAnswer() {
    for (int failure = 0; failure < 10; failure++) {
      conversation.after(AWAY);
    }
    conversation.after(INSTRUCTED);
    assertThat(conversation.after(AWAY)).isLessThanOrEqualTo(Duration.ofMillis(400));
  }

  @Test
  void doesNotWaitEquallyLongTwice() {
    Conversation other = new Conversation(new SplittableRandom(1));
    Stream.generate(() -> AWAY).limit(10).forEach(conversation::after);
    Stream.generate(() -> AWAY).limit(10).forEach(other::after);
    assertThat(conversation.after(AWAY)).isNotEqualTo(other.after(AWAY));
  }

  @ParameterizedTest
  @CsvSource({"PT0S, PT0.05S", "PT-3S, PT0.05S", "PT9000S, PT300S", "PT5S, PT5S"})
  void keepsTheIntervalWithinReason(Duration instructed, Duration wait) {
    assertThat(conversation.after(new Outcome.Instructed(instructed))).isEqualTo(wait);
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
    Outcome outcome = Outcome.of(new ProblemException("about:blank", status, "reason", null));
    assertThat(outcome.getClass().getSimpleName()).isEqualTo(expected);
  }

  @Test
  void knowsWhenALaterStartHasTheName() {
    String kind = "urn:cascade:problem:relay-superseded";
    assertThat(Outcome.of(new ProblemException(kind, 409, "reason", null)))
        .isEqualTo(new Outcome.Replaced("reason"));
  }

  @Test
  void takesEverythingElseForSilence() {
    URI server = URI.create("http://o");
    assertThat(Outcome.of(new UnreachableException(server, new IOException("broken"))))
        .isEqualTo(new Outcome.Away("no answer from http://o: broken"));
    assertThat(Outcome.of(new IllegalStateException("odd"))).isInstanceOf(Outcome.Away.class);
  }
}
