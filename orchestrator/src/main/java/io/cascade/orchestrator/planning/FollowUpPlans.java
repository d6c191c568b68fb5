package io.cascade.orchestrator.planning;

import io.cascade.api.BoundedMap;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.security.Caller;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Repeats hurried plans of clients in the background, once the transfer has ended. A hurried plan
 * starts no throughput tests, so that it does not delay the transfer; the follow-up plan does, and
 * the next plan for the same destination uses their results.
 *
 * <p>One plan at a time for a destination, {@value #MOST_AT_A_TIME} in all, {@value #MOST_PER_HOUR}
 * an hour for a destination; further ones are dropped, since the next transfer requests them again.
 * Relays refuse tests beside bulk streams, so another transfer through them is not disturbed.
 */
@Component
class FollowUpPlans {
  static final int MOST_AT_A_TIME = 2;
  static final int MOST_PER_HOUR = 6;
  static final int MOST_REMEMBERED = 1_000;

  /** Time for which a question is kept: the transfer that it was for may take hours. */
  static final Duration KEPT = Duration.ofDays(1);

  /** The longest time for tests that the contract allows, in seconds. */
  static final double MEASURE_SECONDS = 30;

  private static final Logger LOG = LoggerFactory.getLogger(FollowUpPlans.class);
  private static final Duration HOUR = Duration.ofHours(1);

  private final Consumer<PlanRequest> planner;
  private final Executor threads;
  private final Timekeeper time;
  private final Map<Way, Question> questions = BoundedMap.ofLatestUsed(MOST_REMEMBERED);
  private final Map<String, ArrayDeque<Long>> starts = BoundedMap.ofLatestUsed(MOST_REMEMBERED);
  private final Set<String> running = new HashSet<>();

  @Autowired
  FollowUpPlans(Planner planner, Timekeeper time) {
    this(
        question -> {
          Planned _ = planner.plan(question);
        },
        Executors.newVirtualThreadPerTaskExecutor(),
        time);
  }

  /**
   * @param planner makes a plan and runs its tests; blocks
   */
  FollowUpPlans(Consumer<PlanRequest> planner, Executor threads, Timekeeper time) {
    this.planner = planner;
    this.threads = threads;
    this.time = time;
  }

  private record Way(String client, String destination) {}

  private record Question(PlanRequest request, long mark) {}

  /** Records a client's question if its plan is hurried. */
  synchronized void asked(String client, PlanRequest request) {
    Double seconds = request.measureSeconds();
    if (seconds == null || seconds > 0 || request.source() == null) {
      return;
    }
    String destination = Destinations.parse(request.destination()).toString();
    questions.put(new Way(client, destination), new Question(request, time.mark()));
  }

  /**
   * Starts the follow-up plan when a client's transfer to a destination has ended. Does not block.
   */
  void ended(String client, String to) {
    String destination = Destinations.parse(to).toString();
    PlanRequest due = begin(new Way(client, destination));
    if (due != null) {
      Caller.carriedTo(threads).execute(() -> plan(destination, due));
    }
  }

  private synchronized @Nullable PlanRequest begin(Way way) {
    Question question = questions.get(way);
    if (question == null
        || running.contains(way.destination())
        || running.size() >= MOST_AT_A_TIME
        || !mayStart(way.destination())) {
      return null;
    }
    questions.remove(way);
    if (time.passed(question.mark(), KEPT)) {
      return null;
    }
    starts.computeIfAbsent(way.destination(), _ -> new ArrayDeque<>()).addLast(time.mark());
    running.add(way.destination());
    return question.request().toBuilder().measureSeconds(MEASURE_SECONDS).build();
  }

  private boolean mayStart(String destination) {
    ArrayDeque<Long> earlier = starts.getOrDefault(destination, new ArrayDeque<>());
    while (!earlier.isEmpty() && time.passed(earlier.getFirst(), HOUR)) {
      earlier.removeFirst();
    }
    return earlier.size() < MOST_PER_HOUR;
  }

  private void plan(String destination, PlanRequest request) {
    try {
      planner.accept(request);
    } catch (Refusal refusal) {
      LOG.debug("No plan for {} after a transfer: {}", destination, refusal.reason());
    } catch (RuntimeException e) {
      LOG.warn("The plan for {} after a transfer failed", destination, e);
    } finally {
      synchronized (this) {
        running.remove(destination);
      }
    }
  }
}
