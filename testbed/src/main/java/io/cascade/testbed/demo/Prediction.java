package io.cascade.testbed.demo;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Plan;
import io.cascade.model.uncertainty.Interval;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Factor by which the plan expected its best cascade to be faster than the direct path.
 *
 * @param times of the likely durations; null where the plan has none for both
 * @param low as the plan's own sentence has it: both durations err independently
 * @param high likewise
 */
record Prediction(
    String decision, @Nullable Double times, @Nullable Double low, @Nullable Double high) {

  static Prediction of(Plan plan) {
    Optional<Candidate> direct = candidate(plan, CandidateKind.DIRECT, List.of());
    Optional<Candidate> cascade =
        plan.relays() == null
            ? Optional.empty()
            : candidate(plan, CandidateKind.CASCADE, plan.relays());
    String decision = plan.decision().toString();
    if (direct.isEmpty() || cascade.isEmpty()) {
      return new Prediction(decision, null, null, null);
    }
    Optional<Interval> gain =
        interval(direct.get())
            .flatMap(without -> interval(cascade.get()).map(without::dividedByIndependent));
    return new Prediction(
        decision,
        ratio(direct.get().seconds(), cascade.get().seconds()),
        gain.map(Interval::low).orElse(null),
        gain.map(Interval::high).orElse(null));
  }

  private static Optional<Interval> interval(Candidate candidate) {
    Double low = candidate.secondsLow();
    Double likely = candidate.seconds();
    Double high = candidate.secondsHigh();
    return low == null || likely == null || high == null || !(low > 0)
        ? Optional.empty()
        : Optional.of(new Interval(low, likely, high));
  }

  private static Optional<Candidate> candidate(Plan plan, CandidateKind kind, List<String> relays) {
    return plan.candidates().stream()
        .filter(one -> one.kind() == kind && one.relays().equals(relays))
        .findFirst();
  }

  private static @Nullable Double ratio(@Nullable Double over, @Nullable Double under) {
    return over == null || under == null || under <= 0 ? null : over / under;
  }
}
