package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Plan;
import io.cascade.model.planning.Decision;
import io.cascade.orchestrator.chains.LastingGain.Promise;
import java.util.Comparator;
import java.util.List;

/** Route of a chain for clients of a relay's proxies. Such a chain has at least two relays. */
final class ProxyRoute {
  private ProxyRoute() {}

  /**
   * The plan's best route. If the relay alone would do best, but with a congestion control that it
   * does not use for direct streams, the best route with more relays that also gains enough.
   *
   * @param best relays of the best route; empty if there is none
   */
  static List<String> of(Plan plan, List<String> best) {
    if (best.size() != 1) {
      return best;
    }
    double direct =
        plan.candidates().stream()
            .filter(one -> one.kind() == CandidateKind.DIRECT)
            .mapToDouble(Promise::rate)
            .findFirst()
            .orElse(0);
    double least = Decision.TOO_LITTLE_GAIN * direct;
    return plan.candidates().stream()
        .filter(one -> one.kind() == CandidateKind.CASCADE && one.relays().size() > 1)
        .filter(one -> Promise.rate(one) > least)
        .max(Comparator.comparingDouble(Promise::rate))
        .map(Candidate::relays)
        .orElse(best);
  }
}
