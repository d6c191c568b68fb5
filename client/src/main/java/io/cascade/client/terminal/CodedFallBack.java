package io.cascade.client.terminal;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.HopStatistics;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.api.orchestrator.TransportChoice;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/** Warns of coded hops that run over plain TCP because the next relay accepted no session. */
public final class CodedFallBack {
  private CodedFallBack() {}

  /** Warnings for an open chain, if the caller may read the statistics. */
  public static List<String> of(OrchestratorClient client, UUID chain) {
    return seen(client).map(now -> of(now, chain)).orElse(List.of());
  }

  /** Warnings for a plan, if the caller may read the statistics. */
  public static List<String> of(OrchestratorClient client, Plan plan) {
    return seen(client).map(now -> of(now, plan)).orElse(List.of());
  }

  private static Optional<Statistics> seen(OrchestratorClient client) {
    try {
      return Optional.of(client.statistics());
    } catch (ProblemException e) {
      if (e.status() == 403) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** Warnings for an open chain. */
  public static List<String> of(Statistics now, UUID chain) {
    return now.chains().stream()
        .filter(one -> one.chainId().equals(chain))
        .flatMap(one -> one.hops().stream())
        .flatMap(hop -> warning(hop, " is not coded: "))
        .distinct()
        .toList();
  }

  /**
   * Warnings for the hops that a plan would have coded, from chains that use the same links now.
   */
  public static List<String> of(Statistics now, Plan plan) {
    List<HopPrediction> coded = coded(plan);
    return now.chains().stream()
        .flatMap(chain -> chain.hops().stream())
        .filter(hop ->
            coded.stream()
                .anyMatch(one -> one.from().equals(hop.from()) && one.to().equals(hop.to())))
        .flatMap(hop -> warning(hop, " is planned as coded, and in a running chain it is not: "))
        .distinct()
        .toList();
  }

  /** Whether the plan of a chain has a coded hop, so that there may be warnings. */
  public static boolean isPlannedCoded(Chain chain) {
    return chain.plan() != null && !coded(chain.plan()).isEmpty();
  }

  private static List<HopPrediction> coded(Plan plan) {
    return plan.candidates().stream()
        .filter(Candidate::chosen)
        .flatMap(candidate -> candidate.hops().stream())
        .filter(hop -> hop.transport() == TransportChoice.CODED)
        .toList();
  }

  private static Stream<String> warning(HopStatistics hop, String words) {
    CodedHop coded = hop.coded();
    return coded != null && coded.carrier() == CodedCarrier.PLAIN_TCP
        ? Stream.of(
            "warning: the hop from "
                + hop.from()
                + " to "
                + hop.to()
                + words
                + (coded.why() == null ? "its relay does not say why" : coded.why()))
        : Stream.empty();
  }
}
