package io.cascade.orchestrator.planning;

import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.Decision;
import io.cascade.model.planning.Measurement;
import io.cascade.model.planning.Plan;
import io.cascade.model.planning.Prediction;
import io.cascade.orchestrator.links.LinkTable;
import io.cascade.orchestrator.links.ThroughputTests;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Which throughput tests a plan calls for: first of links that would decide, then of all on its
 * best cascade and on the direct path, where nothing was seen of them lately, and of a way of which
 * no rate was seen, where those that are known do not decide.
 */
@Component
class DecisiveTests {
  /** Tests of one plan. */
  static final int MOST = 6;

  /** What was seen of a link is of use for so long. */
  static final Duration FRESH = Duration.ofMinutes(15);

  /** Where more of the same would decide, a link is tested again this soon. */
  static final Duration AGAIN = Duration.ofMinutes(5);

  private final LinkTable links;
  private final ThroughputTests tests;
  private final Timekeeper time;

  DecisiveTests(LinkTable links, ThroughputTests tests, Timekeeper time) {
    this.links = links;
    this.tests = tests;
    this.time = time;
  }

  /** Two relays, and what the first would send with. */
  record Wanted(String from, String to, @Nullable String control) {}

  /**
   * @param standIns relays that stand where the plan's source and destination are
   * @param controls what relays send with
   */
  List<Wanted> of(Plan plan, Map<String, String> standIns, Map<String, String> controls) {
    Set<Wanted> wanted = new LinkedHashSet<>();
    for (Measurement next : plan.measureNext()) {
      add(wanted, next.from(), next.to(), AGAIN, standIns, controls);
    }
    plan.bestCascade().ifPresent(cascade -> add(wanted, cascade, standIns, controls));
    plan.candidate(Candidate.Kind.DIRECT)
        .ifPresent(direct -> add(wanted, direct, standIns, controls));
    if (plan.decision() == Decision.UNDECIDED) {
      addUnseen(wanted, plan, standIns, controls);
    }
    return wanted.stream().limit(MOST).toList();
  }

  /**
   * The best cascade is one of those on which a rate was seen, if there are any. Another one may be
   * better: the first of which a link can be tested.
   */
  private void addUnseen(
      Set<Wanted> wanted, Plan plan, Map<String, String> standIns, Map<String, String> controls) {
    int before = wanted.size();
    for (Candidate way : plan.candidates()) {
      boolean seen = way.prediction().filter(Prediction::hasLikelyRate).isPresent();
      if (way.kind() == Candidate.Kind.CASCADE && !seen && wanted.size() == before) {
        add(wanted, way, standIns, controls);
      }
    }
  }

  private void add(
      Set<Wanted> wanted,
      Candidate way,
      Map<String, String> standIns,
      Map<String, String> controls) {
    List<String> nodes = way.route().nodes();
    for (int i = 0; i + 1 < nodes.size(); i++) {
      add(wanted, nodes.get(i), nodes.get(i + 1), FRESH, standIns, controls);
    }
  }

  private void add(
      Set<Wanted> wanted,
      String from,
      String to,
      Duration fresh,
      Map<String, String> standIns,
      Map<String, String> controls) {
    String one = standIns.getOrDefault(from, from);
    String other = standIns.getOrDefault(to, to);
    if (!one.equals(other)
        && links.find(one, other).filter(link -> !link.wasSeenWithin(fresh)).isPresent()) {
      wanted.add(new Wanted(one, other, controls.get(one)));
    }
  }

  /**
   * Has them run, and waits for them where they may decide and there is time.
   *
   * @param until mark of the steady time
   * @return whether any has ended, so that a new plan may know more
   */
  boolean run(Plan plan, List<Wanted> wanted, long until) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    wanted.forEach(one -> all.add(tests.soon(one.from(), one.to(), one.control())));
    long nanos = until - time.mark();
    if (plan.decision() != Decision.UNDECIDED || all.isEmpty() || nanos <= 0) {
      return false;
    }
    return await(CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)), nanos)
        || all.stream().anyMatch(CompletableFuture::isDone);
  }

  private static boolean await(CompletableFuture<Void> all, long nanos) {
    try {
      all.get(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** When waiting ends. */
  long until(@Nullable Double seconds) {
    return time.mark()
        + Optional.ofNullable(seconds)
            .map(value -> Duration.ofNanos(Math.round(value * 1e9)).toNanos())
            .orElse(0L);
  }
}
