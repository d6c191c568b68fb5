package io.cascade.orchestrator.planning;

import io.cascade.model.multipath.MultipathPlan;
import io.cascade.model.multipath.MultipathPlanner;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Chooses the routes of a segment's pipes: those that carry most together, and, if these are fewer
 * than requested, spare ones through other relays, which carry the stream if the first ones fail.
 */
final class PipeRoutes {
  private final Topology topology;
  private final String first;
  private final String last;
  private final Supplier<RouteQuestion.Builder> question;
  private final Set<String> avoid;
  private final RoutePlanner planner = new RoutePlanner();

  /**
   * The chosen pipes.
   *
   * @param pipes relays of each, including the ends
   * @param together rate of those pipes that carry the stream together; empty if one alone carries
   *     as much
   */
  record Chosen(List<List<String>> pipes, Optional<MultipathPlan> together, List<String> notes) {}

  /**
   * @param question creates the planner's question between the two ends
   * @param avoid relays that no pipe may use
   */
  PipeRoutes(
      Topology topology,
      String first,
      String last,
      Supplier<RouteQuestion.Builder> question,
      Set<String> avoid) {
    this.topology = topology;
    this.first = first;
    this.last = last;
    this.question = question;
    this.avoid = avoid;
  }

  /** Chooses routes for at most this number of pipes; fewer if there are no more routes. */
  Chosen choose(int most) {
    Optional<MultipathPlan> together =
        new MultipathPlanner().plan(topology, question.get().avoid(avoid).build(), most);
    List<List<String>> pipes = new ArrayList<>();
    together.ifPresent(plan -> plan.shares().forEach(share -> pipes.add(share.route().relays())));
    List<String> notes = new ArrayList<>();
    int carrying = Math.max(1, pipes.size());
    while (pipes.size() < most) {
      Optional<List<String>> next = next(pipes);
      if (next.isEmpty()) {
        break;
      }
      pipes.add(next.get());
      if (pipes.size() > carrying) {
        notes.add(
            "The pipe through %s is predicted to add no rate: the same hop limits it,"
                    .formatted(words(next.get()))
                + " no known limit applies, or the transfer is too small. It is a spare if the"
                + " others"
                + " fail.");
      }
    }
    if (pipes.size() < most) {
      notes.add(
          "%d pipes were asked for between %s and %s, and no further route is known."
              .formatted(most, first, last));
    }
    return new Chosen(pipes.stream().map(this::withEnds).toList(), together, notes);
  }

  /** The best route that shares no relay with the others; empty if there is none. */
  private Optional<List<String>> next(List<List<String>> others) {
    Set<String> used = new HashSet<>(avoid);
    others.forEach(used::addAll);
    boolean direct = topology.link(first, last).isPresent() && !others.contains(List.<String>of());
    RouteAnswer plan;
    try {
      plan = planner.plan(topology, question.get().avoid(used).build());
    } catch (IllegalArgumentException e) {
      return direct ? Optional.of(List.of()) : Optional.empty();
    }
    Optional<List<String>> cascade = plan.bestCascade().map(best -> best.route().relays());
    if (direct && (plan.decision().isWithoutRelays() || cascade.isEmpty())) {
      return Optional.of(List.of());
    }
    return cascade.filter(relays -> !others.contains(relays));
  }

  private String words(List<String> middle) {
    return String.join(", ", withEnds(middle));
  }

  private List<String> withEnds(List<String> middle) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(middle);
    all.add(last);
    return all;
  }
}
