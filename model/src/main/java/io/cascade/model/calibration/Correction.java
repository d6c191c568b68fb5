package io.cascade.model.calibration;

import io.cascade.model.units.Require;
import java.time.Duration;
import java.time.Instant;

/**
 * Factor between the rate that a link achieves and the model's prediction, learned from streams and
 * throughput tests over it.
 *
 * <p>Stored as the logarithm of achieved over predicted, so that twice as fast and half as fast
 * weigh the same, and as an amount of evidence that halves within {@link #HALF_LIFE}. An outcome of
 * weight w, at most 1, moves the logarithm by
 *
 * <pre>
 * l ← l + (r − l)·w/min(n + w, 10)        r = ln(achieved/predicted), within ±ln 4
 * </pre>
 *
 * <p>so the first outcomes are averaged, and each later one counts a tenth, so that a single
 * unusual transfer has little effect. The applied factor is the posterior mean of two normal
 * distributions, {@code exp(l·n/(n + 1))}: the model errs on a link about as much as one outcome of
 * full weight does, so a single outcome counts half. The less evidence there is, the closer the
 * factor is to 1. As evidence decays without new outcomes, the factor returns to 1.
 *
 * <p>Worked values: one outcome of 0.5 gives a factor of exp(−0.693/2) = 0.707, twenty in a row
 * give exp(−0.693 · 20/21) = 0.517.
 *
 * @param logRatio l: natural logarithm of achieved over predicted
 * @param evidence n: sum of the weights of outcomes, decayed
 * @param outcomes total number of outcomes
 * @param updatedAt time of the latest outcome
 */
public record Correction(double logRatio, double evidence, long outcomes, Instant updatedAt) {

  /** Largest factor; the smallest is 1/4. */
  public static final double MOST = 4;

  /** Time after which an outcome counts half. */
  public static final Duration HALF_LIFE = Duration.ofDays(3);

  private static final double LOG_MOST = Math.log(MOST);
  private static final double SLOWEST_STEP = 10;
  private static final double PRIOR = 1;

  /** Checks the values. */
  public Correction {
    if (!(Math.abs(logRatio) <= LOG_MOST * (1 + 1e-9))) {
      throw Require.outside("logRatio", logRatio, "between -ln 4 and ln 4");
    }
    Require.notNegative("evidence", evidence);
    Require.atLeast("outcomes", outcomes, 0);
  }

  /** A correction without outcomes. */
  public static Correction none(Instant now) {
    return new Correction(0, 0, 0, now);
  }

  /**
   * This correction after one more outcome.
   *
   * @param ratio achieved over predicted, &gt; 0
   * @param weight above 0, at most 1
   */
  public Correction learn(double ratio, double weight, Instant now) {
    Require.positive("ratio", ratio);
    if (!(weight > 0 && weight <= 1)) {
      throw Require.outside("weight", weight, "above 0 and at most 1");
    }
    double faded = evidenceAt(now);
    double outcome = Math.clamp(Math.log(ratio), -LOG_MOST, LOG_MOST);
    double step = weight / Math.min(faded + weight, SLOWEST_STEP);
    return new Correction(
        logRatio + step * (outcome - logRatio), faded + weight, outcomes + 1, now);
  }

  /** Factor by which the model's rate has to be multiplied at this moment; between 1/4 and 4. */
  public double factor(Instant now) {
    double known = evidenceAt(now);
    return Math.exp(logRatio * known / (known + PRIOR));
  }

  /** Weight that the outcomes still have. */
  public double evidenceAt(Instant now) {
    Duration age = Duration.between(updatedAt, now);
    double halves = age.isNegative() ? 0 : age.toMillis() / (double) HALF_LIFE.toMillis();
    return evidence * Math.pow(0.5, halves);
  }
}
