package io.cascade.studies.report;

import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Claim;
import io.cascade.studies.study.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * A claim with what models and measurements have to say to it.
 *
 * @param measured with bounds at 95 %; empty where nothing was measured
 */
public record ClaimVerdict(
    Claim claim,
    double published,
    double corrected,
    Optional<Sample.Ratio> measured,
    Verdict verdict) {

  /** Holds a claim against the evidence. */
  public static ClaimVerdict of(Claim claim, Evidence evidence) {
    Cell of = only(evidence.experiment().cells(claim.of()));
    Optional<Cell> over = claim.over().map(wanted -> only(evidence.experiment().cells(wanted)));
    Claim.Figure figure = claim.figure();
    double published = Evidence.published(of, figure);
    double corrected = Evidence.corrected(of, figure);
    if (over.isPresent()) {
      published /= Evidence.published(over.get(), figure);
      corrected /= Evidence.corrected(over.get(), figure);
    }
    Optional<Sample.Ratio> measured = measured(of, over, figure, evidence);
    return new ClaimVerdict(
        claim,
        published,
        corrected,
        measured,
        measured.map(value -> verdict(claim, value)).orElse(Verdict.NOT_MEASURED));
  }

  private static Optional<Sample.Ratio> measured(
      Cell of, Optional<Cell> over, Claim.Figure figure, Evidence evidence) {
    Optional<Sample> sample = evidence.sample(of, figure);
    if (over.isEmpty()) {
      return sample.map(values ->
          new Sample.Ratio(
              values.mean() - values.halfWidth(),
              values.mean(),
              values.mean() + values.halfWidth()));
    }
    Optional<Sample> base = evidence.sample(over.get(), figure);
    return sample.isEmpty() || base.isEmpty()
        ? Optional.empty()
        : Optional.of(sample.get().over(base.get()));
  }

  static Verdict verdict(Claim claim, Sample.Ratio measured) {
    return Verdict.of(
        measured.low(), measured.value(), measured.high(), claim.least(), claim.most());
  }

  private static Cell only(List<Cell> cells) {
    if (cells.size() != 1) {
      throw new IllegalArgumentException("cells: " + cells.size() + " (expected: one)");
    }
    return cells.getFirst();
  }
}
