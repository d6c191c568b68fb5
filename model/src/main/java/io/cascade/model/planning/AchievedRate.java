package io.cascade.model.planning;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Require;

/**
 * What a transfer over a link achieved whose rate losses set, not the link's capacity, an end or
 * its own shortness.
 *
 * @param control what it was sent with
 * @param bitsPerSecond payload, over the whole transfer
 * @param losses that it met, at least {@value #FEWEST_LOSSES}
 */
public record AchievedRate(CongestionControl control, double bitsPerSecond, long losses) {

  /** A rate that met fewer losses is that of a beginning and says nothing of what follows. */
  public static final long FEWEST_LOSSES = 3;

  /** Checks the values. */
  public AchievedRate {
    Require.positive("bitsPerSecond", bitsPerSecond);
    Require.atLeast("losses", losses, FEWEST_LOSSES);
  }

  /**
   * The most that a like transfer can be expected to achieve.
   *
   * <pre>
   * X·exp( z·√( s² + 1/(4·k) ) )
   * </pre>
   *
   * <p>s is the {@linkplain ModelScatter scatter} of the congestion control. k losses come by
   * chance, off by a factor of about exp(±1/√k), and rates go by the root of loss. Worked value:
   * 1.65 Mbit/s of CUBIC that met 4 losses, z = 1.96: 1.65·exp(1.96·0.32) = 3.1 Mbit/s.
   *
   * @param deviations z, of a standard normal distribution
   */
  double most(double deviations) {
    double own = ModelScatter.of(control);
    return bitsPerSecond * Math.exp(deviations * Math.hypot(own, 0.5 / Math.sqrt((double) losses)));
  }
}
