package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Hop;
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
 * The relays of a chain, pipe by pipe: from its first relay to its last one.
 *
 * @param pipes relays of each, in order
 * @param framed whether a segment of these pipes carries the streams; otherwise there is one, and
 *     streams pass through it as they are
 */
record RelayPipes(List<List<String>> pipes, boolean framed) {
  RelayPipes {
    pipes = pipes.stream().map(List::copyOf).toList();
  }

  /** One pipe, as it is of a plain cascade. */
  static RelayPipes plain(List<String> relays) {
    return new RelayPipes(List.of(relays), false);
  }

  /**
   * What a request makes of a route.
   *
   * @param relays that it names or that were chosen for it; not used where it names pipes
   * @throws Refusal where the route is too short for pipes
   */
  static RelayPipes of(ChainRequest request, List<String> relays) {
    List<List<String>> named = named(request);
    if (!named.isEmpty()) {
      return new RelayPipes(named, true);
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
    return new RelayPipes(Collections.nCopies(parallel, relays), true);
  }

  private static List<List<String>> named(ChainRequest request) {
    return Objects.requireNonNullElse(request.pipes(), List.of());
  }

  /**
   * Looks at the request alone, before anything is planned.
   *
   * @throws Refusal naming the fix
   */
  static void check(ChainRequest request) {
    List<List<String>> pipes = named(request);
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

  /** Relays that a request names, each once; empty where the planner chooses. */
  static List<String> namedRelays(ChainRequest request) {
    List<List<String>> pipes = named(request);
    return pipes.isEmpty()
        ? Objects.requireNonNullElse(request.via(), List.of())
        : new RelayPipes(pipes, true).relays();
  }

  /**
   * First hops of the pipes of a route's segments that lead through a relay that drains, but for
   * the relays at their ends.
   */
  static Set<HopAddress> draining(RouteHops route, Predicate<String> drains) {
    Set<HopAddress> found = new LinkedHashSet<>();
    for (RouteHop hop : route.joiningRelays()) {
      HopAddress at = hop.address();
      HopAddress next = new HopAddress(at.segment(), at.pipe(), at.hop() + 1);
      if (!route.isOnePipe() && route.at(next) != null && drains.test(hop.to())) {
        found.add(new HopAddress(at.segment(), at.pipe(), 0));
      }
    }
    return found;
  }

  /**
   * The same pipes, those that a route has, too, in the places that they have there: they keep
   * their addresses.
   */
  RelayPipes inPlacesOf(RouteHops before) {
    List<List<String>> left = new ArrayList<>(pipes);
    List<@Nullable List<String>> placed = new ArrayList<>(Collections.nCopies(pipes.size(), null));
    for (int place = 0; place < placed.size(); place++) {
      List<String> there = relays(before.pipe(new HopAddress(1, place, 0)));
      if (left.remove(there)) {
        placed.set(place, there);
      }
    }
    return new RelayPipes(
        placed.stream().map(pipe -> pipe == null ? left.removeFirst() : pipe).toList(), framed);
  }

  private static List<String> relays(List<Hop> pipe) {
    List<String> relays = new ArrayList<>();
    pipe.forEach(hop -> relays.add(hop.from()));
    if (!pipe.isEmpty()) {
      relays.add(pipe.getLast().to());
    }
    return relays;
  }

  /** Each relay once. */
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
        ? RouteHops.segment(pipes, between)
        : RouteHops.cascade(pipes.getFirst(), between);
  }
}
