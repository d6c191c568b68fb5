package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A transfer that was planned in a hurry is followed by a plan that has tests run. */
class FollowUpPlansTest {
  private static final String CLIENT = "192.0.2.7";
  private static final String TO = "files.example:9000";
  private static final Source HOST =
      Source.builder().observations(List.of()).congestionControl("cubic").build();

  private final ManualTime time = ManualTime.from(Instant.EPOCH);
  private final ArrayDeque<Runnable> threads = new ArrayDeque<>();
  private final List<PlanRequest> planned = new ArrayList<>();
  private @Nullable RuntimeException failure;
  private final FollowUpPlans plans =
      new FollowUpPlans(this::plan, threads::addLast, time.timekeeper());

  @Test
  void theHurriedQuestionIsAskedAgainWithTimeForTestsWhenTheTransferHasEnded() {
    plans.asked(CLIENT, hurried(TO));
    assertThat(threads).as("while the transfer runs").isEmpty();

    plans.ended(CLIENT, TO);
    work();

    assertThat(planned).containsExactly(hurried(TO).toBuilder().measureSeconds(30.0).build());
  }

  @Test
  void theReportsOfOneTransferBringOnePlan() {
    plans.asked(CLIENT, hurried(TO));
    plans.ended(CLIENT, TO);
    plans.ended(CLIENT, TO);
    work();
    plans.ended(CLIENT, TO);

    assertThat(planned).hasSize(1);
    assertThat(threads).isEmpty();
  }

  @Test
  void nothingFollowsAPlanThatTookItsTimeOrKnewNoSource() {
    plans.asked(CLIENT, question(TO).measureSeconds(5.0).build());
    plans.asked(CLIENT, question(TO).build());
    plans.asked(CLIENT, question(TO).measureSeconds(0.0).source(null).build());
    plans.ended(CLIENT, TO);

    assertThat(threads).isEmpty();
  }

  @Test
  void aTransferOfAnotherClientOrToAnotherDestinationIsNotThisOnesEnd() {
    plans.asked(CLIENT, hurried(TO));
    plans.ended("192.0.2.8", TO);
    plans.ended(CLIENT, "files.example:9001");

    assertThat(threads).isEmpty();
  }

  @Test
  void oneRunsAtATimeForADestinationAndSoManyInAll() {
    plans.asked(CLIENT, hurried(TO));
    plans.asked("192.0.2.8", hurried(TO));
    plans.ended(CLIENT, TO);
    plans.ended("192.0.2.8", TO);
    assertThat(threads).hasSize(1);

    for (int i = 0; i < FollowUpPlans.MOST_AT_A_TIME; i++) {
      plans.asked(CLIENT, hurried("h" + i + ":1"));
      plans.ended(CLIENT, "h" + i + ":1");
    }
    assertThat(threads).hasSize(FollowUpPlans.MOST_AT_A_TIME);

    work();
    plans.ended("192.0.2.8", TO);
    assertThat(threads).as("the question that had to wait").hasSize(1);
  }

  @Test
  void soManyAnHourForADestination() {
    for (int i = 0; i <= FollowUpPlans.MOST_PER_HOUR; i++) {
      transfer();
    }
    assertThat(planned).hasSize(FollowUpPlans.MOST_PER_HOUR);

    time.pass(Duration.ofHours(1));
    transfer();
    assertThat(planned).hasSize(FollowUpPlans.MOST_PER_HOUR + 1);
  }

  @Test
  void aPlanThatFailsDoesNotStandInTheWayOfTheNext() {
    failure = new Refusal(ProblemKind.NO_RELAYS, "none");
    transfer();
    failure = new IllegalStateException("broken");
    transfer();
    failure = null;
    transfer();

    assertThat(planned).hasSize(3);
  }

  @Test
  void questionsAreForgottenAfterADayAndWhereThereAreTooMany() {
    plans.asked(CLIENT, hurried(TO));
    time.pass(Duration.ofDays(1));
    plans.ended(CLIENT, TO);
    assertThat(threads).isEmpty();

    for (int i = 0; i <= FollowUpPlans.MOST_REMEMBERED; i++) {
      plans.asked(CLIENT, hurried("h" + i + ":1"));
    }
    plans.ended(CLIENT, "h0:1");
    assertThat(threads).isEmpty();
    plans.ended(CLIENT, "h1:1");
    assertThat(threads).hasSize(1);
  }

  private void transfer() {
    plans.asked(CLIENT, hurried(TO));
    plans.ended(CLIENT, TO);
    work();
  }

  private void work() {
    while (!threads.isEmpty()) {
      Objects.requireNonNull(threads.pollFirst()).run();
    }
  }

  private void plan(PlanRequest request) {
    planned.add(request);
    if (failure != null) {
      throw failure;
    }
  }

  private static PlanRequest hurried(String to) {
    return question(to).measureSeconds(0.0).build();
  }

  private static PlanRequest.Builder question(String to) {
    return PlanRequest.builder().destination(to).bytes(1L << 30).source(HOST);
  }
}
