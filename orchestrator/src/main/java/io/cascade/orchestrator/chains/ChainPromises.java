package io.cascade.orchestrator.chains;

import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.planning.PromisedCapacity;
import java.util.function.Predicate;
import org.springframework.stereotype.Component;

/**
 * The predicted rate of every open chain is promised to it, on all of its relays and links. A chain
 * that was opened without a prediction is promised nothing.
 */
@Component
class ChainPromises implements PromisedCapacity {
  private final ChainBook book;

  ChainPromises(ChainBook book) {
    this.book = book;
  }

  @Override
  public double of(String relay) {
    return sum(route -> route.relays().contains(relay));
  }

  @Override
  public double of(String from, String to) {
    return sum(route -> route.joins(from, to));
  }

  private double sum(Predicate<RouteHops> concerned) {
    double sum = 0;
    for (Chain chain : book.unended()) {
      RouteHops route = chain.route();
      if (route != null && !chain.looksForRoute() && concerned.test(route)) {
        sum += RoutePrediction.of(chain).map(RoutePrediction::bitsPerSecond).orElse(0.0);
      }
    }
    return sum;
  }
}
