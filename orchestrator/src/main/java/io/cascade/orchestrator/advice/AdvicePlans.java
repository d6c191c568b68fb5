package io.cascade.orchestrator.advice;

import io.cascade.api.BoundedMap;
import io.cascade.api.orchestrator.Plan;
import io.cascade.contract.PlanAdvice;
import io.cascade.orchestrator.security.Caller;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Plans that advice rests on. Each plan makes relays connect to its destination, so plans are
 * reused for {@link #KEPT}, only a few are made at a time, and the number that waits is bounded.
 */
final class AdvicePlans {
  static final Duration KEPT = Duration.ofMinutes(5);

  /** Time until a failed plan, or one that did not reach its destination, is made again. */
  static final Duration RETRY = Duration.ofSeconds(30);

  static final int AT_A_TIME = 2;
  static final int MOST_WAITING = 100;
  private static final int MOST = 1_000;

  private final BiFunction<SeenDestination.Origin, String, Plan> planner;
  private final Timekeeper time;
  private final Semaphore turns = new Semaphore(AT_A_TIME);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<Question, Asked> plans = BoundedMap.ofLatestUsed(MOST);

  /** A destination, and the origin of the traffic. */
  record Question(SeenDestination.Origin origin, String destination) {}

  /**
   * The result of a question.
   *
   * @param plan null if there is none
   * @param obstacle the reason if there is no plan
   */
  record PlanningResult(@Nullable Plan plan, String obstacle) {}

  private static final PlanningResult NOT_ASKED =
      new PlanningResult(
          null, "not planned yet: too many plans were requested; ask again in a minute");

  private static final PlanningResult PENDING =
      new PlanningResult(null, "being planned; ask again soon");

  private record Asked(CompletableFuture<PlanningResult> answer, long mark) {}

  /**
   * @param planner makes a plan for an origin and a destination; blocks
   */
  AdvicePlans(BiFunction<SeenDestination.Origin, String, Plan> planner, Timekeeper time) {
    this.planner = planner;
    this.time = time;
  }

  /**
   * Returns the results in the order of the questions.
   *
   * @param patience longest time to wait for plans that are being made
   * @param mayBegin whether the caller may start one more plan; asked before each
   */
  List<PlanningResult> of(List<Question> questions, Duration patience, BooleanSupplier mayBegin) {
    List<CompletableFuture<PlanningResult>> asked =
        questions.stream().map(question -> ask(question, mayBegin)).toList();
    await(CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)), patience);
    List<PlanningResult> answers = new ArrayList<>();
    asked.forEach(one -> answers.add(one.getNow(PENDING)));
    return answers;
  }

  private synchronized CompletableFuture<PlanningResult> ask(
      Question question, BooleanSupplier mayBegin) {
    Asked before = plans.get(question);
    if (before != null
        && (!before.answer.isDone() || !time.passed(before.mark, kept(before.answer.join())))) {
      return before.answer;
    }
    if (plans.values().stream().filter(one -> !one.answer.isDone()).count() >= MOST_WAITING) {
      return CompletableFuture.completedFuture(PENDING);
    }
    if (!mayBegin.getAsBoolean()) {
      return before == null
          ? CompletableFuture.completedFuture(NOT_ASKED)
          : before.answer; // an outdated plan is better than none
    }
    CompletableFuture<PlanningResult> answer =
        CompletableFuture.supplyAsync(() -> plan(question), Caller.carriedTo(threads));
    plans.put(question, new Asked(answer, time.mark()));
    return answer;
  }

  private static Duration kept(PlanningResult answer) {
    return answer.plan() != null && PlanAdvice.isReached(answer.plan()) ? KEPT : RETRY;
  }

  private PlanningResult plan(Question question) {
    turns.acquireUninterruptibly();
    try {
      return new PlanningResult(planner.apply(question.origin(), question.destination()), "");
    } catch (RuntimeException | Error e) {
      // Never completes exceptionally: the failure would be given to every later caller.
      return new PlanningResult(null, "cannot be planned: " + e.getMessage());
    } finally {
      turns.release();
    }
  }

  private static void await(CompletableFuture<Void> all, Duration patience) {
    try {
      all.get(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      // The plans that are ready are returned.
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
