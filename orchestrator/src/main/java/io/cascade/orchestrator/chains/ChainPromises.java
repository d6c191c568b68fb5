package io.cascade.orchestrator.chains;

import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.chains.LastingGain.Promise;
import io.cascade.orchestrator.planning.PromisedCapacity;
import java.util.Collection;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Capacity promised to chains: the predicted rate of each open chain, on all of its relays and
 * links. A chain without a prediction is promised nothing.
 */
@Component
class ChainPromises implements Supplier<PromisedCapacity> {
  private final ChainBook book;

  ChainPromises(ChainBook book) {
    this.book = book;
  }

  @Override
  public PromisedCapacity get() {
    return of(book.unended());
  }

  static PromisedCapacity of(Collection<Chain> open) {
    PromisedCapacity promised = new PromisedCapacity();
    for (Chain chain : open) {
      RouteHops route = chain.route();
      if (route != null && !chain.looksForRoute()) {
        RoutePrediction.of(chain)
            .map(prediction -> Promise.rate(prediction.candidate()))
            .filter(rate -> rate > 0)
            .ifPresent(rate -> promised.add(route, rate));
      }
    }
    return promised;
  }
}
