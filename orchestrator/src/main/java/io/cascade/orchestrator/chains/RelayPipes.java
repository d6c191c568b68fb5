package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The relays of a chain, pipe by pipe, from its first relay to its last one.
 *
 * @param pipes relays of each pipe, in order
 * @param junctions relays between the first and the last one at which all pipes meet, in order: at
 *     each of them one segment ends and the next one begins
 * @param framed whether the streams are sent in frames over a segment of these pipes; otherwise
 *     there is one pipe, which passes streams on unframed
 */
record RelayPipes(List<List<String>> pipes, List<String> junctions, boolean framed) {
  RelayPipes {
    pipes = pipes.stream().map(List::copyOf).toList();
    junctions = List.copyOf(junctions);
  }

  /** A single unframed pipe, as in a plain cascade. */
  static RelayPipes plain(List<String> relays) {
    return new RelayPipes(List.of(relays), List.of(), false);
  }

  /**
   * Makes the pipes that a request asks for.
   *
   * @param relays relays that the request names or that were chosen for it; not used if it names
   *     pipes
   * @throws Refusal if the route is too short for pipes
   */
  static RelayPipes of(ChainRequest request, List<String> relays) {
    List<List<String>> named = named(request);
    if (!named.isEmpty()) {
      return new RelayPipes(named, junctions(request), true);
    }
    Integer parallel = request.parallel();
    if (parallel == null) {
      return plain(relays);
    }
    if (relays.size() < 2) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST,
          "parallel: pipes lead from one relay to another, and the route has "
              + String.join(", ", relays)
              + " alone (fix: name two relays or more with via)");
    }
    return new RelayPipes(Collections.nCopies(parallel, relays), junctions(request), true);
  }

  private static List<List<String>> named(ChainRequest request) {
    return Objects.requireNonNullElse(request.pipes(), List.of());
  }

  private static List<String> junctions(ChainRequest request) {
    return Objects.requireNonNullElse(request.junctions(), List.of());
  }

  /**
   * Checks the request alone, before anything is planned.
   *
   * @throws Refusal naming the fix
   */
  static void check(ChainRequest request) {
    List<List<String>> pipes = named(request);
    checkOptions(request);
    checkJunctions(request);
    if (request.routes() != null) {
      checkRoutes(request);
    }
    if (pipes.isEmpty()) {
      return;
    }
    if (request.via() != null && !request.via().isEmpty()) {
      throw refused("with via (expected: one of both)");
    }
    if (request.parallel() != null) {
      throw refused("with parallel (expected: one of both; name a pipe twice to have two of it)");
    }
    List<String> first = pipes.getFirst();
    for (List<String> pipe : pipes) {
      if (pipe == null || pipe.size() < 2) {
        throw refused(
            "a pipe of fewer than two relays (expected: the first and the last at least)");
      }
      if (!pipe.getFirst().equals(first.getFirst()) || !pipe.getLast().equals(first.getLast())) {
        throw refused(
            "%s (expected: from %s to %s, as the first one)"
                .formatted(String.join(",", pipe), first.getFirst(), first.getLast()));
      }
      if (new HashSet<>(pipe).size() != pipe.size()) {
        throw refused(String.join(",", pipe) + " (expected: each relay once)");
      }
    }
  }

  /** Refuses options that only a chain with several pipes can have. */
  private static void checkOptions(ChainRequest request) {
    ChainOptions options = request.options();
    boolean split =
        !named(request).isEmpty() || request.parallel() != null || request.routes() != null;
    if (split || options == null) {
      return;
    }
    if (options.scheduler() != null) {
      throw noPipes("options.scheduler: the chain has no pipes to choose from");
    }
    if (options.patienceSeconds() != null) {
      throw noPipes("options.patienceSeconds: the chain has no pipes to wait for");
    }
  }

  private static Refusal noPipes(String what) {
    return new Refusal(
        ProblemKind.INVALID_REQUEST, what + " (fix: ask for some with pipes, routes or parallel)");
  }

  private static void checkJunctions(ChainRequest request) {
    List<String> junctions = junctions(request);
    List<String> via = Objects.requireNonNullElse(request.via(), List.of());
    List<List<String>> pipes = named(request);
    if (pipes.isEmpty() && request.parallel() != null && !via.isEmpty()) {
      pipes = List.of(via);
    }
    if (junctions.isEmpty()) {
      return;
    }
    if (pipes.isEmpty()) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST,
          "junctions: without pipes to join (fix: name them with pipes, or with via and parallel)");
    }
    for (List<String> pipe : pipes) {
      if (pipe != null && !passes(pipe, junctions)) {
        throw new Refusal(
            ProblemKind.INVALID_REQUEST,
            "junctions: the pipe %s does not lead through %s (expected: each once, in this order, between its ends)"
                .formatted(String.join(",", pipe), String.join(",", junctions)));
      }
    }
  }

  private static boolean passes(List<String> pipe, List<String> junctions) {
    if (pipe.size() <= junctions.size()) {
      return false;
    }
    List<String> passed = new ArrayList<>(pipe);
    passed.removeFirst();
    passed.removeLast();
    passed.retainAll(junctions);
    return passed.equals(junctions);
  }

  private static void checkRoutes(ChainRequest request) {
    if (request.parallel() != null || !named(request).isEmpty()) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST, "routes: with pipes or parallel (expected: one of them)");
    }
    if (request.via() != null && !request.via().isEmpty() && request.via().size() != 2) {
      throw new Refusal(
          ProblemKind.INVALID_REQUEST,
          "routes: via names "
              + request.via().size()
              + " relays (expected: the first and the last, or none; pipes names all of them)");
    }
  }

  private static Refusal refused(String words) {
    return new Refusal(ProblemKind.INVALID_REQUEST, "pipes: " + words);
  }

  /** Relays that a request names, without duplicates; empty if the planner chooses. */
  static List<String> namedRelays(ChainRequest request) {
    List<List<String>> pipes = named(request);
    return pipes.isEmpty()
        ? Objects.requireNonNullElse(request.via(), List.of())
        : new RelayPipes(pipes, List.of(), true).relays();
  }

  /**
   * First hops of the pipes that pass a draining relay, not counting the relays at the ends of a
   * segment.
   */
  static Set<HopAddress> draining(RouteHops route, Predicate<String> drains) {
    if (route.isOnePipe()) {
      return Set.of();
    }
    Set<HopAddress> found = new LinkedHashSet<>();
    for (RouteHop hop : route.joiningRelays()) {
      HopAddress at = hop.address();
      HopAddress next = new HopAddress(at.segment(), at.pipe(), at.hop() + 1);
      if (route.at(next) != null && drains.test(hop.to())) {
        found.add(new HopAddress(at.segment(), at.pipe(), 0));
      }
    }
    return found;
  }

  /**
   * The same pipes, reordered so that those which a route already has keep their positions there,
   * and so their addresses.
   */
  RelayPipes inPlacesOf(RouteHops before) {
    List<List<String>> left = new ArrayList<>(pipes);
    List<@Nullable List<String>> placed = new ArrayList<>(Collections.nCopies(pipes.size(), null));
    for (int place = 0; place < placed.size(); place++) {
      List<String> there = relays(before, place);
      if (left.remove(there)) {
        placed.set(place, there);
      }
    }
    return new RelayPipes(
        placed.stream().map(pipe -> pipe == null ? left.removeFirst() : pipe).toList(),
        junctions,
        framed);
  }

  /** Relays of each pipe of a framed route. */
  static List<List<String>> of(RouteHops route) {
    List<List<String>> pipes = new ArrayList<>();
    for (int pipe = 0; pipe < route.document().segments().get(1).pipes().size(); pipe++) {
      pipes.add(relays(route, pipe));
    }
    return pipes;
  }

  /** Relays of a pipe, through all segments. */
  private static List<String> relays(RouteHops route, int pipe) {
    List<String> relays = new ArrayList<>();
    for (RouteHop hop : route.joiningRelays()) {
      if (hop.address().pipe() == pipe) {
        if (relays.isEmpty()) {
          relays.add(hop.from());
        }
        relays.add(hop.to());
      }
    }
    return relays;
  }

  /** All relays, without duplicates. */
  List<String> relays() {
    LinkedHashSet<String> relays = new LinkedHashSet<>();
    pipes.forEach(relays::addAll);
    return List.copyOf(relays);
  }

  /**
   * The route with its hops.
   *
   * @param tls whether the hops between relays are encrypted
   */
  RouteHops route(boolean tls) {
    HopTransport between = tls ? HopTransport.TLS : HopTransport.TCP;
    return framed
        ? RouteHops.segments(pipes, junctions, between)
        : RouteHops.cascade(pipes.getFirst(), between);
  }
}
