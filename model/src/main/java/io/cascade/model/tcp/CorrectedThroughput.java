package io.cascade.model.tcp;

import io.cascade.model.units.Require;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Another model's rate, multiplied by the correction learned of a link.
 *
 * @param model the corrected model
 * @param factor achieved over predicted, from outcomes
 * @param outcomes number of streams that it was learned from
 */
public record CorrectedThroughput(ThroughputModel model, double factor, long outcomes)
    implements ThroughputModel {

  /** Checks the factor. */
  public CorrectedThroughput {
    Require.positive("factor", factor);
  }

  @Override
  public double bitsPerSecond(PathConditions path) {
    return factor * model.bitsPerSecond(path);
  }

  @Override
  public ThroughputModel underWindow(double packets) {
    return new CorrectedThroughput(model.underWindow(packets), factor, outcomes);
  }

  @Override
  public OptionalDouble windowKeptAtLoss() {
    return model.windowKeptAtLoss();
  }

  @Override
  public String basis() {
    return String.format(
        Locale.ROOT, "%s, x%.2f learned from %d transfers", model.basis(), factor, outcomes);
  }

  @Override
  public double validUpToLoss() {
    return model.validUpToLoss();
  }
}
