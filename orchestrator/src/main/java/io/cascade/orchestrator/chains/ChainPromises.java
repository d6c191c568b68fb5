package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Plan;
import io.cascade.orchestrator.planning.PromisedCapacity;
import java.util.List;
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
    return sum(relays -> relays.contains(relay));
  }

  @Override
  public double of(String from, String to) {
    return sum(relays -> {
      int place = relays.indexOf(from);
      return place >= 0 && place + 1 < relays.size() && relays.get(place + 1).equals(to);
    });
  }

  private double sum(Predicate<List<String>> concerned) {
    return book.unended().stream()
        .filter(chain -> !chain.looksForRoute() && concerned.test(chain.relays()))
        .mapToDouble(ChainPromises::predicted)
        .sum();
  }

  /** What the plan that a chain was opened with promised of its relays. */
  private static double predicted(Chain chain) {
    Plan plan = chain.plan();
    if (plan == null) {
      return 0;
    }
    return plan.candidates().stream()
        .filter(candidate ->
            candidate.kind() == CandidateKind.CASCADE && candidate.relays().equals(chain.relays()))
        .map(Candidate::bitsPerSecond)
        .filter(rate -> rate != null)
        .findFirst()
        .orElse(0.0);
  }
}
