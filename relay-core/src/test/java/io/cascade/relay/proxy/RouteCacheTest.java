package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.RouteTrial;
import io.cascade.api.orchestrator.RouteWay;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouteCacheTest {
  private static final UUID CHAIN = UUID.randomUUID();
  private static final Duration VALID = Duration.ofSeconds(60);
  private static final RouteCache.Choice DIRECTLY = RouteCache.Choice.DIRECTLY;
  private static final StreamPace.Achieved QUICK = achieved(12);
  private static final StreamPace.Achieved SLOW = achieved(2);

  private final AtomicLong now = new AtomicLong();
  private final Queue<Runnable> questions = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final List<Optional<RouteTrial>> told = new ArrayList<>();
  private @Nullable RoutingDecision answer = new RoutingDecision(CHAIN, false, VALID);

  private final RouteCache book =
      new RouteCache(
          (destination, trial) -> {
            asked.add(destination);
            told.add(Optional.ofNullable(trial));
            return Objects.requireNonNull(answer, "away");
          },
          2,
          questions::add,
          now::get);

  @Test
  void theFirstStreamGoesDirectlyAndLaterOnesThroughTheChainOnceItIsThere() {
    assertThat(book.next("a:1", null).chain()).isNull();
    assertThat(book.next("a:1", null).chain()).isNull();
    plan();
    assertThat(book.next("a:1", null).chain()).isEqualTo(CHAIN);
    assertThat(asked).containsExactly("a:1");
  }

  @Test
  void anOldRouteIsGoodUntilANewOneIsKnown() {
    book.next("a:1", null);
    plan();
    now.addAndGet(VALID.toNanos());
    answer = new RoutingDecision(null, false, VALID);
    assertThat(book.next("a:1", null).chain()).isEqualTo(CHAIN);
    assertThat(book.next("a:1", null).chain()).isEqualTo(CHAIN);
    plan();
    assertThat(book.next("a:1", null).chain()).isNull();
    assertThat(asked).hasSize(2);
  }

  @Test
  void aChainThatFailedIsNotTakenUntilThePlannerNamesOneAgain() {
    book.next("a:1", null);
    plan();
    book.unavailable("a:1", CHAIN);
    assertThat(book.next("a:1", null).chain()).isNull();
    assertThat(questions).isEmpty();
    now.addAndGet(RouteCache.RETRY.toNanos());
    book.next("a:1", null);
    plan();
    assertThat(book.next("a:1", null).chain()).isEqualTo(CHAIN);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPlannerThatCannotSayIsAskedAgainAfterAWhile(boolean withAnError) {
    RouteCache unanswered =
        new RouteCache(
            (_, _) -> {
              if (withAnError) {
                throw new OutOfMemoryError("for a moment");
              }
              throw new IllegalStateException("away");
            },
            2,
            questions::add,
            now::get);
    unanswered.next("a:1", null);
    plan();
    assertThat(unanswered.next("a:1", null).chain()).isNull();
    assertThat(questions).isEmpty();
    now.addAndGet(RouteCache.RETRY.toNanos());
    unanswered.next("a:1", null);
    assertThat(questions).hasSize(1);
  }

  @Test
  void aKnownRouteIsUsedOnWhileThePlannerIsAway() {
    AtomicBoolean away = new AtomicBoolean();
    RouteCache sometimes =
        new RouteCache(
            (_, _) -> {
              if (away.get()) {
                throw new IllegalStateException("away");
              }
              return Objects.requireNonNull(answer);
            },
            2,
            questions::add,
            now::get);
    sometimes.next("a:1", null);
    plan();
    away.set(true);
    for (int minute = 0; minute < 10; minute++) {
      now.addAndGet(VALID.toNanos());
      assertThat(sometimes.next("a:1", null).chain()).isEqualTo(CHAIN);
      plan();
    }
    assertThat(sometimes.next("a:1", null).chain()).isEqualTo(CHAIN);
    assertThat(questions).as("asked again after a while, and not before").isEmpty();
    away.set(false);
    answer = new RoutingDecision(null, false, VALID);
    now.addAndGet(RouteCache.RETRY.toNanos());
    sometimes.next("a:1", null);
    plan();
    assertThat(sometimes.next("a:1", null).chain()).isNull();
  }

  @Test
  void theRoutesThatWereUsedLeastLatelyAreForgotten() {
    for (String destination : List.of("a:1", "b:1", "c:1")) {
      book.next(destination, null);
      plan();
    }
    assertThat(book.next("b:1", null).chain()).isEqualTo(CHAIN);
    assertThat(book.next("a:1", null).chain()).isNull();
    assertThat(questions).hasSize(1);
  }

  @Test
  void aChainOnTrialTakesEveryOtherStreamAndTheQuickerWayTakesTheRest() {
    startTrial();
    for (int round = 0; round < PathTrial.ENOUGH; round++) {
      stream(CHAIN, QUICK);
      stream(null, SLOW);
    }
    for (int later = 0; later < 5; later++) {
      RouteCache.Choice choice = book.next("a:1", null);
      assertThat(choice.chain()).isEqualTo(CHAIN);
      assertThat(choice.trial()).as("measured no longer").isNull();
    }
  }

  @Test
  void thePlannerIsToldWhatATrialFoundOutWithTheNextStream() {
    startTrial();
    assertThat(told).containsExactly(Optional.empty());
    decide(SLOW, QUICK);
    book.next("a:1", null);
    plan();
    RouteTrial found = told.getLast().orElseThrow();
    assertThat(found.chainId()).isEqualTo(CHAIN);
    assertThat(found.verdict()).isEqualTo(RouteWay.DIRECT);
    assertThat(found.validSeconds()).isEqualTo((int) PathTrial.VALID.toSeconds());
    assertThat(found.direct().bulkStreams()).isEqualTo(PathTrial.ENOUGH);
  }

  @Test
  void aTrialThatRunsIsReportedWithTheUsualQuestions() {
    startTrial();
    stream(CHAIN, QUICK);
    now.addAndGet(VALID.toNanos());
    book.next("a:1", null);
    plan();
    RouteTrial found = told.getLast().orElseThrow();
    assertThat(found.verdict()).isNull();
    assertThat(found.chain().streams()).isEqualTo(1);
  }

  @Test
  void aVerdictThatFallsWhileAQuestionIsUnderWayIsToldWithTheNextStream() {
    startTrial();
    now.addAndGet(VALID.toNanos());
    stream(CHAIN, SLOW); // asks, and is not answered yet
    decide(QUICK, SLOW);
    plan();
    book.next("a:1", null);
    plan();
    assertThat(told.getLast().orElseThrow().verdict()).isNotNull();
  }

  @Test
  void aVerdictOutlastsAnAbsentPlanner() {
    startTrial();
    decide(QUICK, SLOW);
    answer = null;
    for (int hour = 0; hour < 3; hour++) {
      now.addAndGet(PathTrial.VALID.toNanos());
      assertThat(book.next("a:1", null).chain()).isEqualTo(CHAIN);
      plan();
    }
  }

  @Test
  void aVerdictStandsWhateverThePlannerSaysOfTheSameChain() {
    startTrial();
    decide(SLOW, QUICK);
    for (boolean trial : new boolean[] {true, false}) {
      answer = new RoutingDecision(CHAIN, trial, VALID);
      now.addAndGet(VALID.toNanos());
      book.next("a:1", null);
      plan();
      assertThat(book.next("a:1", null).chain()).isNull();
    }
    answer = new RoutingDecision(null, false, VALID);
    now.addAndGet(VALID.toNanos());
    book.next("a:1", null);
    plan();
    now.addAndGet(VALID.toNanos());
    book.next("a:1", null);
    plan();
    assertThat(told.getLast().orElseThrow().verdict()).isEqualTo(RouteWay.DIRECT);
  }

  @Test
  void aNewTrialStartsFromTheWayThatIsInUse() {
    startTrial();
    decide(QUICK, SLOW);
    now.addAndGet(PathTrial.VALID.toNanos());
    assertThat(book.next("a:1", null).chain()).isEqualTo(CHAIN);
    plan();
    assertThat(told.getLast()).as("valid no longer").isEmpty();
    for (int round = 0; round < PathTrial.ENOUGH; round++) {
      stream(null, achieved(11));
      stream(CHAIN, achieved(10));
    }
    assertThat(book.next("a:1", null).chain()).as("a tenth is no reason to leave").isEqualTo(CHAIN);
  }

  @Test
  void anAnswerThatIsSureEndsATrial() {
    startTrial();
    stream(CHAIN, SLOW);
    answer = new RoutingDecision(CHAIN, false, VALID);
    now.addAndGet(VALID.toNanos());
    book.next("a:1", null);
    plan();
    for (int i = 0; i < 4; i++) {
      assertThat(book.next("a:1", null)).isEqualTo(new RouteCache.Choice(CHAIN, null));
    }
  }

  @Test
  void aChainThatFailsAStreamLosesItsTrial() {
    startTrial();
    stream(CHAIN, QUICK);
    book.failed("a:1", CHAIN);
    assertThat(book.next("a:1", null).chain()).isNull();
    plan();
    RouteTrial found = told.getLast().orElseThrow();
    assertThat(found.verdict()).isEqualTo(RouteWay.DIRECT);
    assertThat(book.next("a:1", null).chain()).isNull();
  }

  @Test
  void aChainThatDoesNotReachTheDestinationLosesItsTrialAndNothingElse() {
    startTrial();
    book.failedToReach("a:1", CHAIN);
    assertThat(book.next("a:1", null).chain()).isNull();
    book.next("b:1", null);
    plan();
    answer = new RoutingDecision(CHAIN, false, VALID);
    book.next("c:1", null);
    plan();
    book.failedToReach("c:1", CHAIN);
    assertThat(book.next("c:1", null).chain()).isEqualTo(CHAIN);
  }

  @Test
  void aTrialIsForgottenWithItsDestinationAndLateStreamsOfItChangeNothing() {
    startTrial();
    RouteCache.Choice late = book.next("a:1", null);
    book.next("b:1", null);
    book.next("c:1", null);
    plan();
    book.measured("a:1", late, QUICK);
    assertThat(book.next("a:1", null).chain()).isNull();
    plan();
    assertThat(told.getLast()).isEmpty();
    book.measured("a:1", late, QUICK);
    now.addAndGet(VALID.toNanos());
    book.next("a:1", null);
    plan();
    assertThat(told.getLast().orElseThrow().chain().streams()).isZero();
  }

  @Test
  void aStreamBesideOthersOfItsPairKeepsTheirPathWhileAChainIsTried() {
    startTrial();
    for (int i = 0; i < 4; i++) {
      assertThat(book.next("a:1", PathKind.DIRECT).chain()).isNull();
      assertThat(book.next("a:1", PathKind.CHAIN).chain()).isEqualTo(CHAIN);
    }
    stream(CHAIN, QUICK); // those took no turn of the trial
  }

  @Test
  void aStreamBesideDirectOnesGoesDirectlyAlthoughThereIsAChain() {
    book.next("a:1", null);
    plan();
    assertThat(book.next("a:1", PathKind.DIRECT)).isEqualTo(DIRECTLY);
    assertThat(book.next("b:1", PathKind.CHAIN).chain()).as("no chain yet").isNull();
  }

  private void startTrial() {
    answer = new RoutingDecision(CHAIN, true, VALID);
    assertThat(book.next("a:1", null)).as("nobody waits for a trial").isEqualTo(DIRECTLY);
    plan();
  }

  /** Enough streams each way. */
  private void decide(StreamPace.Achieved chain, StreamPace.Achieved direct) {
    for (int i = 0; i < 2 * PathTrial.ENOUGH; i++) {
      RouteCache.Choice choice = book.next("a:1", null);
      book.measured("a:1", choice, choice.chain() == null ? direct : chain);
    }
  }

  private void stream(@Nullable UUID expected, StreamPace.Achieved achieved) {
    RouteCache.Choice choice = book.next("a:1", null);
    assertThat(choice.chain()).isEqualTo(expected);
    assertThat(choice.trial()).isNotNull();
    book.measured("a:1", choice, achieved);
  }

  private static StreamPace.Achieved achieved(int megabytes) {
    return new StreamPace.Achieved(megabytes * 1_000_000L, 1_000_000_000, 1, true);
  }

  private void plan() {
    for (Runnable question = questions.poll(); question != null; question = questions.poll()) {
      question.run();
    }
  }
}
