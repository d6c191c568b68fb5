package io.cascade.model.planning;

import io.cascade.model.routing.RouteSearch.Found;
import io.cascade.model.routing.RouteSearch.Order;
import io.cascade.model.routing.RouteSearch.Routes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The routes that a plan considers: scored by the full model in the order of their bounds, until no
 * remaining bound is better than the best score.
 *
 * <p>So the best route of every number of relays is found although only few are scored. If bounds
 * do not separate more than {@value #MOST_SCORED} of them, the best of those is taken.
 */
final class Shortlist {

  /** Routes that a plan shows besides the best of each number of relays. */
  private static final int SHOWN = 8;

  /**
   * Routes of each number of relays that are scored at least, so that there are some to show beside
   * the best.
   */
  private static final int AT_LEAST_SCORED = 4;

  /** Routes of each number of relays that are scored at most. */
  private static final int MOST_SCORED = 128;

  /** The same limit if all routes are wanted that no other beats in both time and price. */
  private static final int MOST_SCORED_FOR_FRONT = 1024;

  private final RouteQuestion request;
  private final Forecaster forecaster;
  private final NumberedSearch finder;
  private final List<Scored> scored = new ArrayList<>();

  Shortlist(RouteQuestion request, Forecaster forecaster, NumberedSearch finder) {
    this.request = request;
    this.forecaster = forecaster;
    this.finder = finder;
  }

  /** A route that keeps all limits. */
  private record Scored(NodePath route, double cost, double price) {
    int relays() {
      return route.relays().size();
    }
  }

  private static final Comparator<Scored> BY_COST = Comparator.comparingDouble(Scored::cost);
  private static final Comparator<Scored> BY_PRICE =
      Comparator.comparingDouble(Scored::price).thenComparing(BY_COST);

  /** Paths that are worth showing for the request's objective. */
  List<NodePath> routes() {
    return switch (request.objective()) {
      case TIME -> shown(byTime(), List.of());
      case PRICE -> {
        List<Scored> reaching = byPrice();
        // If no route reaches the rate, those that come closest are shown.
        yield reaching.isEmpty()
            ? shown(byTime(), List.of())
            : shown(reaching, bestOfEachNumber(reaching, BY_PRICE));
      }
      case TIME_AND_PRICE -> {
        byTime();
        yield shown(scored, front());
      }
    };
  }

  private List<Scored> byTime() {
    for (int relays = 1; relays <= request.maxRelays(); relays++) {
      Optional<Routes> routes = finder.withRelays(relays, Order.BOUND);
      if (routes.isPresent()) {
        scoreByTime(routes.get());
      }
    }
    return scored;
  }

  private void scoreByTime(Routes routes) {
    double[] least = {Double.POSITIVE_INFINITY};
    int[] seen = {0};
    routes.prune((bound, _) -> seen[0] >= AT_LEAST_SCORED && bound >= least[0]);
    for (int i = 0; i < MOST_SCORED; i++) {
      Optional<Found> next = routes.next();
      if (next.isEmpty()) {
        return;
      }
      Optional<Scored> score = score(next.get());
      if (score.isPresent()) {
        scored.add(score.get());
        seen[0]++;
        least[0] = Math.min(least[0], score.get().cost());
      }
    }
  }

  private List<Scored> byPrice() {
    double mostCost = mostCost() * (1 + 1e-9);
    List<Scored> reaching = new ArrayList<>();
    for (int relays = 1; relays <= request.maxRelays(); relays++) {
      Optional<Routes> routes = finder.withRelays(relays, Order.PRICE);
      if (routes.isPresent()) {
        scoreByPrice(routes.get(), mostCost, reaching);
      }
    }
    return reaching;
  }

  private void scoreByPrice(Routes routes, double mostCost, List<Scored> reaching) {
    Scored[] best = new Scored[1];
    routes.prune((bound, price) ->
        bound > mostCost
            || (best[0] != null
                && (price > best[0].price() * (1 + 1e-9)
                    || (price >= best[0].price() && bound >= best[0].cost()))));
    for (int i = 0; i < MOST_SCORED; i++) {
      Optional<Found> next = routes.next();
      if (next.isEmpty()) {
        return;
      }
      score(next.get())
          .filter(one -> one.cost() <= mostCost)
          .ifPresent(one -> {
            reaching.add(one);
            if (best[0] == null || BY_PRICE.compare(one, best[0]) < 0) {
              best[0] = one;
            }
          });
    }
  }

  /** The highest cost that still reaches the required rate. */
  private double mostCost() {
    double rate = request.limits().leastBitsPerSecond().orElse(0);
    return request.bytes().isPresent() ? 8.0 * request.bytes().getAsLong() / rate : 1 / rate;
  }

  /** Every route that neither another one nor the direct path beats in both time and price. */
  private List<Scored> front() {
    Front front = new Front();
    Candidate direct = forecaster.direct();
    direct
        .prediction()
        .ifPresent(known ->
            front.add(
                new Scored(direct.route(), known.cost().likely(), known.price().perGibibyte())));
    scored.forEach(front::add);
    for (int relays = 1; relays <= request.maxRelays(); relays++) {
      Optional<Routes> routes = finder.withRelays(relays, Order.BOUND);
      if (routes.isEmpty()) {
        return List.of();
      }
      routes.get().prune(front::beats);
      for (int i = 0; i < MOST_SCORED_FOR_FRONT; i++) {
        Optional<Found> next = routes.get().next();
        if (next.isEmpty()) {
          break;
        }
        score(next.get()).ifPresent(front::add);
      }
    }
    front.members.removeIf(one -> one.route().isDirect());
    return front.members;
  }

  /** Candidates that no other beats in both time and price. */
  private static final class Front {
    private final List<Scored> members = new ArrayList<>();

    boolean beats(double cost, double price) {
      return members.stream().anyMatch(one -> one.cost() <= cost && one.price() <= price);
    }

    void add(Scored one) {
      if (!beats(one.cost(), one.price())) {
        members.removeIf(other -> one.cost() <= other.cost() && one.price() <= other.price());
        members.add(one);
      }
    }
  }

  /**
   * Scores a route; empty if the full model shows that it exceeds a limit, which the bound had not.
   */
  private Optional<Scored> score(Found found) {
    NodePath route = finder.route(found);
    double cost = forecaster.likelyCascadeCost(route);
    Price price = forecaster.price(route, cost);
    boolean allowed =
        price.perGibibyte()
                <= request.limits().mostPricePerGibibyte().orElse(Double.POSITIVE_INFINITY)
            && price.relaysPerHour()
                <= request.limits().mostPricePerHour().orElse(Double.POSITIVE_INFINITY);
    return allowed ? Optional.of(new Scored(route, cost, price.perGibibyte())) : Optional.empty();
  }

  private static List<Scored> bestOfEachNumber(List<Scored> all, Comparator<Scored> order) {
    List<Scored> sorted = new ArrayList<>(all);
    sorted.sort(order);
    Set<Integer> numbersSeen = new TreeSet<>();
    sorted.removeIf(one -> !numbersSeen.add(one.relays()));
    return sorted;
  }

  /**
   * The wanted, the best of each number of relays, and the best order of the best sets of relays.
   */
  private static List<NodePath> shown(List<Scored> all, List<Scored> wanted) {
    // Stable: routes of equal cost stay in the order of their bounds, for a stream that of their
    // delays.
    List<Scored> sorted = new ArrayList<>(all);
    sorted.sort(BY_COST.thenComparingInt(Scored::relays));
    Set<NodePath> shown = new LinkedHashSet<>();
    Set<Set<String>> setsSeen = new LinkedHashSet<>();
    wanted.forEach(one -> shown.add(one.route()));
    bestOfEachNumber(sorted, BY_COST).forEach(one -> shown.add(one.route()));
    shown.forEach(route -> setsSeen.add(new TreeSet<>(route.relays())));
    for (Scored one : sorted) {
      if (shown.size() < SHOWN && setsSeen.add(new TreeSet<>(one.route().relays()))) {
        shown.add(one.route());
      }
    }
    return List.copyOf(shown);
  }
}
