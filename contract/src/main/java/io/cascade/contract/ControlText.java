package io.cascade.contract;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** Names the congestion controls with which a plan has relays send instead of their usual ones. */
public final class ControlText {
  private ControlText() {}

  /**
   * Suffix of a candidate's relays, such as {@code , BBR from r1 on}; empty if no control changes.
   */
  public static String of(Candidate candidate) {
    List<HopPrediction> onward =
        candidate.hops().stream().dropWhile(hop -> !isChanged(hop)).toList();
    if (onward.isEmpty()) {
      return "";
    }
    HopPrediction first = onward.getFirst();
    boolean toTheEnd =
        onward.stream()
            .allMatch(hop ->
                isChanged(hop)
                    && Objects.equals(hop.congestionControl(), first.congestionControl()));
    return toTheEnd
        ? ", " + name(first) + " from " + first.from() + " on"
        : onward.stream()
            .filter(ControlText::isChanged)
            .map(hop -> ", " + name(hop) + " on " + hop.from() + "→" + hop.to())
            .collect(Collectors.joining());
  }

  /** The suffix for the plan with which a chain was opened. */
  public static String of(Chain chain) {
    Plan plan = chain.plan();
    Candidate way =
        plan == null
            ? null
            : PlanReasons.find(plan.candidates(), CandidateKind.CASCADE, chain.relays());
    return way == null ? "" : of(way);
  }

  private static boolean isChanged(HopPrediction hop) {
    return hop.usualCongestionControl() != null;
  }

  private static String name(HopPrediction hop) {
    return String.valueOf(hop.congestionControl()).toUpperCase(Locale.ROOT);
  }
}
