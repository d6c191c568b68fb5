package io.cascade.studies.report;

import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Claim;
import io.cascade.studies.study.Finding;
import io.cascade.studies.study.Goal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleBiFunction;

/**
 * Claims of an experiment's sources, compared with the measurements.
 *
 * @param evidence measurements of the experiment
 */
record Claims(Evidence evidence) {
  /** A claim as a goal, with the band within which it holds and the measured value. */
  Goal judged(Claim claim) {
    String band = Words.number(claim.least()) + "…" + Words.number(claim.most());
    String unit = claim.over().isPresent() ? "" : " " + Words.unit(claim.figure());
    return measured(claim)
        .map(found ->
            new Goal(
                claim.says(),
                band,
                Words.interval(found) + unit,
                Finding.ofClaim(
                    found.low(), found.value(), found.high(), claim.least(), claim.most())))
        .orElseGet(() -> new Goal(claim.says(), band, "–" + unit, Finding.NOT_MEASURED));
  }

  /**
   * Value of a model for a claim.
   *
   * @param model {@link Evidence#published} or {@link Evidence#corrected}
   */
  double model(Claim claim, ToDoubleBiFunction<Cell, Claim.Figure> model) {
    double value = model.applyAsDouble(only(claim.of()), claim.figure());
    return claim.over().isEmpty()
        ? value
        : value / model.applyAsDouble(only(claim.over().get()), claim.figure());
  }

  /** Measured value with bounds at 95 %; empty if nothing was measured. */
  private Optional<Sample.Ratio> measured(Claim claim) {
    Optional<Sample> sample = evidence.sample(only(claim.of()), claim.figure());
    if (claim.over().isEmpty()) {
      return sample.map(values ->
          new Sample.Ratio(
              values.mean() - values.halfWidth(),
              values.mean(),
              values.mean() + values.halfWidth()));
    }
    Optional<Sample> base = evidence.sample(only(claim.over().get()), claim.figure());
    return sample.flatMap(values -> base.map(values::over));
  }

  private Cell only(Map<String, String> inputs) {
    List<Cell> cells = evidence.experiment().cells(inputs);
    if (cells.size() != 1) {
      throw new IllegalArgumentException("cells: " + cells.size() + " (expected: one)");
    }
    return cells.getFirst();
  }
}
