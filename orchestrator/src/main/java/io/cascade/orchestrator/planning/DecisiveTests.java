package io.cascade.orchestrator.planning;

import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.Decision;
import io.cascade.model.planning.Measurement;
import io.cascade.model.planning.Prediction;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.LinkTable;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.PathEnds;
import io.cascade.orchestrator.links.ThroughputTests;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
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
 * Throughput tests that a plan calls for. First those of links that would decide; then those
 * without recent evidence on the best cascade, on the direct path and on the cascade to be tried;
 * and, if the plan is undecided, those of one way without an observed rate.
 */
@Component
class DecisiveTests {
  /** Most tests of one plan. */
  static final int MOST = 6;

  /**
   * Time after which a link with many observed segments is tested again, if more of them would
   * decide. A test of a link with high loss sends few segments; it is repeated at once.
   */
  static final Duration AGAIN = Duration.ofMinutes(5);

  /** Time within which tests have to start if no caller waits for the plan. */
  private static final Duration UNAWAITED = Duration.ofMinutes(1);

  private final LinkTable links;
  private final ThroughputTests tests;
  private final Timekeeper time;

  DecisiveTests(LinkTable links, ThroughputTests tests, Timekeeper time) {
    this.links = links;
    this.tests = tests;
    this.time = time;
  }

  /** Two relays, and the congestion control of the first; null for its usual one. */
  record Wanted(String from, String to, @Nullable String control) {}

  /**
   * The tests that a plan calls for.
   *
   * @param trial the cascade that the traffic would try
   * @param standIns relays at the sites of the plan's source and destination
   * @param controls congestion controls of the relays
   */
  List<Wanted> of(
      RouteAnswer plan,
      Optional<Candidate> trial,
      Map<String, String> standIns,
      CongestionChoices controls) {
    Search search = new Search(plan, standIns, controls);
    for (Measurement next : plan.measureNext()) {
      search.add(next);
    }
    plan.bestCascade().ifPresent(search::add);
    plan.candidate(Candidate.Kind.DIRECT).ifPresent(search::add);
    trial.ifPresent(search::add);
    if (plan.decision() == Decision.UNDECIDED) {
      search.addUnseen(plan);
    }
    return search.wanted().stream().limit(MOST).toList();
  }

  /** Collects the tests of one plan. */
  private final class Search {
    private final Map<String, String> standIns;
    private final CongestionChoices controls;
    private final Set<Wanted> wanted = new LinkedHashSet<>();
    private final Map<PathEnds, CongestionControl> filling = new HashMap<>();

    Search(RouteAnswer plan, Map<String, String> standIns, CongestionChoices controls) {
      this.standIns = standIns;
      this.controls = controls;
      plan.candidates().stream()
          .flatMap(candidate -> candidate.prediction().stream())
          .flatMap(prediction -> prediction.hops().stream())
          .filter(hop -> hop.testControl() != hop.usualControl())
          .forEach(hop -> filling.put(link(hop.from(), hop.to()), hop.testControl()));
    }

    Set<Wanted> wanted() {
      return wanted;
    }

    void add(Measurement next) {
      boolean capacity = next.kind() == Measurement.Kind.CAPACITY;
      PathEnds link = link(next.from(), next.to());
      boolean few =
          links.find(link.from(), link.to()).filter(known -> !known.isWellCounted()).isPresent();
      add(next.from(), next.to(), few && !capacity ? Duration.ZERO : AGAIN, capacity);
    }

    void add(Candidate way) {
      way.route().links().forEach(link -> add(link.from(), link.to(), MeasuredLink.FRESH, true));
    }

    /**
     * Adds the first cascade without an observed rate that has a link to test. The best cascade is
     * chosen among those with an observed rate, if there are any; another may be better.
     */
    void addUnseen(RouteAnswer plan) {
      int before = wanted.size();
      for (Candidate way : plan.candidates()) {
        boolean seen = way.prediction().filter(Prediction::hasLikelyRate).isPresent();
        if (way.kind() == Candidate.Kind.CASCADE && !seen) {
          add(way);
          if (wanted.size() > before) {
            return;
          }
        }
      }
    }

    /**
     * Adds a test of a link. If its capacity is open, the test uses a congestion control that may
     * fill the link and that the relay may use, even if transfers with other controls gave evidence
     * within {@code fresh}.
     *
     * @param toFill whether the capacity is wanted; losses are measured with the usual control
     */
    void add(String from, String to, Duration fresh, boolean toFill) {
      PathEnds link = link(from, to);
      String one = link.from();
      String other = link.to();
      if (one.equals(other)) {
        return;
      }
      Optional<CongestionControl> fills =
          toFill ? Optional.ofNullable(filling.get(link)) : Optional.empty();
      boolean due =
          links
              .find(one, other)
              .filter(known ->
                  !known.wasSeenWithin(fresh)
                      || fills.filter(control -> !known.wasSeenWithin(fresh, control)).isPresent())
              .isPresent();
      if (due) {
        wanted.add(
            new Wanted(
                one,
                other,
                fills
                    .map(control -> controls.name(one, control))
                    .orElseGet(() -> controls.usualName(one))));
      }
    }

    private PathEnds link(String from, String to) {
      return new PathEnds(standIns.getOrDefault(from, from), standIns.getOrDefault(to, to));
    }
  }

  /**
   * Starts the wanted tests, and waits for them while the plan is undecided and time remains. If a
   * caller waits for the plan, it sends next; tests that cannot start by then are left out, and the
   * next plan wants them again. For a decided plan these are all tests that cannot start at once.
   *
   * @param until mark of the steady time
   * @param isAwaited whether a caller waits for the plan
   * @return whether any test has ended, so that a new plan may know more
   */
  boolean run(RouteAnswer plan, List<Wanted> wanted, long until, boolean isAwaited) {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    long nanos = until - time.mark();
    boolean waits = plan.decision() == Decision.UNDECIDED && nanos > 0;
    Duration patience = isAwaited ? Duration.ofNanos(waits ? nanos : 0) : UNAWAITED;
    wanted.forEach(one -> all.add(tests.soon(one.from(), one.to(), one.control(), patience)));
    if (!waits || all.isEmpty()) {
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

  /** Returns the mark at which waiting ends. */
  long until(@Nullable Double seconds) {
    return time.mark()
        + Optional.ofNullable(seconds)
            .map(value -> Duration.ofNanos(Math.round(value * 1e9)).toNanos())
            .orElse(0L);
  }
}
