package io.cascade.model.routing;

import io.cascade.model.routing.LinkCosts.Place;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Returns routes in the exact order of their bounds, one at a time.
 *
 * <p>Two passes. Backward from the destination, every node gets the {@linkplain OnwardFronts front}
 * of its ways to the destination. Forward from the source, best first, partial routes are extended
 * in the order of the least bound that the fronts still allow, so complete routes come out in order
 * and the first is the best. A partial route whose lower bound exceeds a limit is not extended.
 *
 * <p>Not thread-safe.
 */
public final class RouteSearch {

  /** Order of routes. */
  public enum Order {
    /** The least bound: time, or time per bit of a stream. */
    BOUND,
    /** The least price, then the least bound; needs a tariff. */
    PRICE
  }

  private final LinkGraph graph;
  private final LinkCosts costs;
  private final int source;
  private final int destination;
  private final OnwardFronts fronts;
  private final @Nullable Tariff tariff;
  private final @Nullable OnwardPrices prices;

  /**
   * Prepares the search for routes of up to {@code mostHops} hops.
   *
   * @param tariff prices and their limits, if any matter
   */
  public RouteSearch(
      LinkGraph graph,
      LinkCosts costs,
      int source,
      int destination,
      int mostHops,
      Optional<Tariff> tariff) {
    this.graph = graph;
    this.costs = costs;
    this.source = source;
    this.destination = destination;
    this.tariff = tariff.orElse(null);
    fronts = OnwardFronts.of(graph, costs, source, destination, mostHops);
    prices =
        tariff
            .map(known -> new OnwardPrices(graph, costs, known, destination, mostHops))
            .orElse(null);
  }

  /** Routes of exactly {@code hops} hops, best first. */
  public Routes withHops(int hops, Order order) {
    return new Routes(hops, order);
  }

  /**
   * A complete route.
   *
   * @param nodes from source to destination
   * @param bound lower bound of the time, or of the time per bit of a stream
   * @param price lower bound on its price per GiB; 0 without a tariff
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one reader
  public record Found(int[] nodes, double bound, double price) {}

  /** Decides which incomplete routes can no longer lead to a wanted one. */
  @FunctionalInterface
  public interface Pruning {
    /** Nothing is cut. */
    Pruning NONE = (_, _) -> false;

    /** Whether all routes of at least this bound and at least this price are unwanted. */
    boolean cuts(double bound, double price);
  }

  /** Routes of one number of hops in their order. */
  public final class Routes {

    private final LabelHeap open = new LabelHeap();
    private final PartialRoutes partial = new PartialRoutes();
    private final Order order;
    private Pruning pruning = Pruning.NONE;

    private double offeredBound;
    private double offeredDelay;

    private Routes(int hops, Order order) {
      this.order = order;
      offer(source, hops, 0, 0, 0, 0, -1);
    }

    /** Prunes from now on; routes that were pruned before are not restored. */
    public void prune(Pruning by) {
      pruning = by;
    }

    /** The next route, if there is one. */
    public Optional<Found> next() {
      while (!open.isEmpty()) {
        int best = open.remove();
        if (pruning.cuts(partial.bound(best), partial.price(best))) {
          continue;
        }
        if (partial.hopsLeft(best) == 0) {
          return Optional.of(
              new Found(partial.nodes(best), partial.bound(best), partial.price(best)));
        }
        grow(best);
      }
      return Optional.empty();
    }

    private void grow(int label) {
      int node = partial.node(label);
      int hopsLeft = partial.hopsLeft(label);
      double delay = partial.delay(label);
      double burden = partial.burden(label);
      Place place = costs.place(hopsLeft, node == source);
      OnwardFronts.Layer onward = fronts.layer(hopsLeft - 1);
      for (int link = graph.first(node); link < graph.first(node + 1); link++) {
        int to = graph.target(link);
        if (costs.usable(link) && !onward.isEmpty(to) && !partial.passes(label, to)) {
          double traffic = 0;
          double hourly = 0;
          if (tariff != null) {
            traffic = partial.traffic(label) + tariff.trafficOfLink()[link];
            hourly = partial.hourly(label) + (to == destination ? 0 : tariff.hourlyOfNode()[to]);
          }
          offer(
              to,
              hopsLeft - 1,
              delay + costs.delay(link, place),
              Math.max(burden, costs.burden(link)),
              traffic,
              hourly,
              label);
        }
      }
    }

    private void offer(
        int node,
        int hopsLeft,
        double delay,
        double burden,
        double traffic,
        double hourly,
        int before) {
      OnwardFronts.Layer onward = fronts.layer(hopsLeft);
      if (onward.isEmpty(node)) {
        return;
      }
      promise(onward, node, delay, burden);
      double bound = offeredBound;
      double bestDelay = offeredDelay;
      double price = 0;
      if (tariff != null && prices != null) {
        double leastHourly = hourly + prices.hourly(node, hopsLeft);
        price = tariff.price(traffic + prices.traffic(node, hopsLeft), leastHourly, bound);
        if (!tariff.allows(price, leastHourly)) {
          return;
        }
      }
      if (pruning.cuts(bound, price)) {
        return;
      }
      int label = partial.add(node, hopsLeft, delay, burden, traffic, hourly, bound, price, before);
      if (order == Order.PRICE) {
        open.add(price, bound, label);
      } else {
        open.add(bound, costs.stream() ? bestDelay : price, label);
      }
    }

    /** The least bound of all ways onward, and the delay of that way. */
    private void promise(OnwardFronts.Layer onward, int node, double delay, double burden) {
      int from = onward.first[node];
      int to = onward.first[node + 1];
      if (costs.stream()) {
        double least = Math.max(burden, onward.burdens[to - 1]);
        int i = from;
        while (onward.burdens[i] > least) {
          i++;
        }
        offeredBound = least;
        offeredDelay = delay + onward.delays[i];
        return;
      }
      double least = Double.POSITIVE_INFINITY;
      for (int i = from; i < to; i++) {
        double onwardBurden = onward.burdens[i];
        least = Math.min(least, onward.delays[i] + Math.max(burden, onwardBurden));
        if (onwardBurden <= burden) {
          break;
        }
      }
      offeredBound = delay + least;
      offeredDelay = delay;
    }
  }
}
