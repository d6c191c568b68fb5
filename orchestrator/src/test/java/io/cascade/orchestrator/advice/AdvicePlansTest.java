package io.cascade.orchestrator.advice;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.orchestrator.time.ManualTime;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Advice does not flood destinations with the probes of plans. */
@Timeout(60)
class AdvicePlansTest {
  private static final SeenDestination.Origin EDGE = new SeenDestination.Origin("edge", false);
  private static final Duration LONG = Duration.ofSeconds(30);

  private static boolean always() {
    return true;
  }

  private final ManualTime clocks = ManualTime.from(Instant.EPOCH);
  private final Timekeeper time = clocks.timekeeper();
  private final AtomicInteger made = new AtomicInteger();

  @Test
  void aPlanIsKeptForAWhile() {
    AdvicePlans plans = new AdvicePlans((_, to) -> plan(to), time);
    List<AdvicePlans.Question> question = questions(1);

    assertThat(plans.of(question, LONG, AdvicePlansTest::always).getFirst().plan()).isNotNull();
    clocks.pass(AdvicePlans.KEPT.minusSeconds(1));
    assertThat(plans.of(question, LONG, AdvicePlansTest::always).getFirst().plan()).isNotNull();
    assertThat(made).hasValue(1);
    clocks.pass(Duration.ofSeconds(2));
    assertThat(plans.of(question, LONG, AdvicePlansTest::always).getFirst().plan()).isNotNull();
    assertThat(made).hasValue(2);
  }

  @Test
  void fewAreMadeAtATimeAndWhatIsMissingIsSaid() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(AdvicePlans.AT_A_TIME);
    Semaphore go = new Semaphore(0);
    AtomicInteger most = new AtomicInteger();
    AtomicInteger underWay = new AtomicInteger();
    AdvicePlans plans =
        new AdvicePlans(
            (_, to) -> {
              most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
              entered.countDown();
              go.acquireUninterruptibly();
              underWay.decrementAndGet();
              return plan(to);
            },
            time);
    List<AdvicePlans.Question> questions = questions(8);

    assertThat(plans.of(questions, Duration.ZERO, AdvicePlansTest::always))
        .allSatisfy(answer -> {
          assertThat(answer.plan()).isNull();
          assertThat(answer.obstacle()).contains("ask again");
        });
    entered.await();
    go.release(8);
    assertThat(plans.of(questions, LONG, AdvicePlansTest::always))
        .allMatch(answer -> answer.plan() != null);
    assertThat(most).hasValue(AdvicePlans.AT_A_TIME);
    assertThat(made).hasValue(8);
  }

  @Test
  void anErrorIsAnAnswerAndIsPlannedForAgain() {
    AtomicBoolean broken = new AtomicBoolean(true);
    AdvicePlans plans =
        new AdvicePlans(
            (_, to) -> {
              if (broken.get()) {
                throw new NoClassDefFoundError("of the planner");
              }
              return plan(to);
            },
            time);

    assertThat(plans.of(questions(1), LONG, AdvicePlansTest::always).getFirst().obstacle())
        .contains("of the planner");
    broken.set(false);
    clocks.pass(AdvicePlans.RETRY.plusSeconds(1));
    assertThat(plans.of(questions(1), LONG, AdvicePlansTest::always).getFirst().plan()).isNotNull();
  }

  @Test
  void soManyWaitAndMoreAreNotPlannedFor() {
    Semaphore go = new Semaphore(0);
    AdvicePlans plans =
        new AdvicePlans(
            (_, to) -> {
              go.acquireUninterruptibly();
              return plan(to);
            },
            time);
    int most = AdvicePlans.MOST_WAITING;
    plans.of(questions(most + 1), Duration.ZERO, AdvicePlansTest::always);
    go.release(2 * most);

    plans.of(questions(most), LONG, AdvicePlansTest::always);

    assertThat(made).hasValue(most);
  }

  @Test
  void aCallerHasSoManyPlansMadeAndSeesThoseThatThereAre() {
    AdvicePlans plans = new AdvicePlans((_, to) -> plan(to), time);
    AtomicInteger left = new AtomicInteger(3);
    BooleanSupplier few = () -> left.getAndDecrement() > 0;

    List<AdvicePlans.PlanningResult> first = plans.of(questions(5), LONG, few);
    assertThat(first).filteredOn(answer -> answer.plan() != null).hasSize(3);
    assertThat(first.getLast().obstacle()).contains("ask again");
    assertThat(made).hasValue(3);

    clocks.pass(AdvicePlans.KEPT.plusSeconds(1));
    assertThat(plans.of(questions(3), LONG, few)).allMatch(answer -> answer.plan() != null);
    assertThat(made).as("old ones are shown").hasValue(3);

    assertThat(plans.of(questions(5), LONG, AdvicePlansTest::always))
        .allMatch(answer -> answer.plan() != null);
  }

  @Test
  void aPlanThatFailsSaysWhy() {
    AdvicePlans plans =
        new AdvicePlans(
            (_, _) -> {
              throw new IllegalStateException("no relay is called edge");
            },
            time);

    assertThat(plans.of(questions(1), LONG, AdvicePlansTest::always))
        .containsExactly(
            new AdvicePlans.PlanningResult(null, "cannot be planned: no relay is called edge"));
  }

  private static List<AdvicePlans.Question> questions(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new AdvicePlans.Question(EDGE, "h" + i + ":1"))
        .toList();
  }

  @Test
  void whatDidNotReachItsDestinationIsPlannedForAgainSoon() {
    AdvicePlans plans = new AdvicePlans((_, to) -> plan(to, null), time);

    plans.of(questions(1), LONG, AdvicePlansTest::always);
    clocks.pass(AdvicePlans.RETRY.minusSeconds(1));
    plans.of(questions(1), LONG, AdvicePlansTest::always);
    assertThat(made).hasValue(1);
    clocks.pass(Duration.ofSeconds(2));
    plans.of(questions(1), LONG, AdvicePlansTest::always);
    assertThat(made).hasValue(2);
  }

  private Plan plan(String destination) {
    return plan(destination, List.of("edge"));
  }

  private Plan plan(String destination, @Nullable List<String> relays) {
    made.incrementAndGet();
    return Plan.builder()
        .destination(destination)
        .decision(Decision.DIRECT)
        .summary("")
        .relays(relays)
        .plannedAt(Instant.EPOCH)
        .candidates(List.of())
        .notes(List.of())
        .build();
  }
}
