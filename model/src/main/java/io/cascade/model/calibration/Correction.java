package io.cascade.model.calibration;

import io.cascade.model.units.Require;
import java.time.Duration;
import java.time.Instant;

/**
 * How much faster a link turns out than a model says, learned from chains over it.
 *
 * <p>Kept as the logarithm of achieved over predicted, so that twice as fast and half as fast weigh
 * the same, and as an amount of evidence that halves within {@link #HALF_LIFE}. An outcome moves
 * the logarithm by
 *
 * <pre>
 * l ← l + (r − l)/min(n + 1, 10)        r = ln(achieved/predicted), within ±ln 4
 * </pre>
 *
 * <p>so the first outcomes are averaged, and after that each counts a tenth: slow enough for one
 * odd transfer not to matter. What is applied is {@code exp(l·n/(n + 5))} once {@link #ENOUGH}
 * evidence is there, and 1 before: the less is known, the closer to the model. As evidence fades
 * without new outcomes, the factor returns to 1.
 *
 * <p>Worked value: twenty outcomes of 0.5 in a row give l = ln 0.5 and a factor of exp(−0.693 ·
 * 20/25) = 0.574.
 *
 * @param logRatio l: natural logarithm of achieved over predicted
 * @param evidence n: outcomes, faded
 * @param outcomes how many there were in all
 * @param updatedAt the latest outcome
 */
public record Correction(double logRatio, double evidence, long outcomes, Instant updatedAt) {

  /** A factor is never below 1/4 nor above this. */
  public static final double MOST = 4;

  /** Evidence below this changes nothing. */
  public static final double ENOUGH = 3;

  /** After this long an outcome counts half. */
  public static final Duration HALF_LIFE = Duration.ofDays(3);

  private static final double LOG_MOST = Math.log(MOST);
  private static final double SLOWEST_STEP = 10;
  private static final double PRIOR = 5;

  /** Checks the values. */
  public Correction {
    if (!(Math.abs(logRatio) <= LOG_MOST * (1 + 1e-9))) {
      throw Require.outside("logRatio", logRatio, "between -ln 4 and ln 4");
    }
    Require.notNegative("evidence", evidence);
    Require.atLeast("outcomes", outcomes, 0);
  }

  /** Nothing learned yet. */
  public static Correction none(Instant now) {
    return new Correction(0, 0, 0, now);
  }

  /**
   * One outcome more.
   *
   * @param ratio achieved over predicted, &gt; 0
   */
  public Correction learn(double ratio, Instant now) {
    Require.positive("ratio", ratio);
    double faded = evidenceAt(now);
    double outcome = Math.clamp(Math.log(ratio), -LOG_MOST, LOG_MOST);
    double step = 1 / Math.min(faded + 1, SLOWEST_STEP);
    return new Correction(logRatio + step * (outcome - logRatio), faded + 1, outcomes + 1, now);
  }

  /** What the model's rate is to be multiplied by at this moment; between 1/4 and 4. */
  public double factor(Instant now) {
    double known = evidenceAt(now);
    return known < ENOUGH ? 1 : Math.exp(logRatio * known / (known + PRIOR));
  }

  /** Outcomes that still count. */
  public double evidenceAt(Instant now) {
    Duration age = Duration.between(updatedAt, now);
    double halves = age.isNegative() ? 0 : age.toMillis() / (double) HALF_LIFE.toMillis();
    return evidence * Math.pow(0.5, halves);
  }
}
