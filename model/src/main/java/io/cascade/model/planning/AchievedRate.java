package io.cascade.model.planning;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Require;

/**
 * Rate of a transfer over a link that was limited neither by its ends nor by its short duration.
 *
 * @param control congestion control of the sender
 * @param bitsPerSecond payload over the whole transfer; for one that filled the link, while it was
 *     full
 * @param losses losses of the transfer
 */
public record AchievedRate(CongestionControl control, double bitsPerSecond, long losses) {

  /** Standard deviation of ln(capacity/rate) where BBR may not have found the capacity yet. */
  private static final double BBR_BEGINNING = 0.2;

  /** Checks the values. */
  public AchievedRate {
    Require.positive("bitsPerSecond", bitsPerSecond);
    Require.atLeast("losses", losses, 0);
  }

  /**
   * Upper bound of the rate that a similar transfer can be expected to achieve.
   *
   * <pre>
   * X·exp( z·√( s² + 1/(4·k) ) )
   * </pre>
   *
   * <p>s is the {@linkplain ModelScatter scatter} of the congestion control. k losses are random,
   * with an error of about exp(±1/√k), and rates depend on the root of loss. Worked values: 1.65
   * Mbit/s of CUBIC that met 4 losses, z = 1.96: 1.65·exp(1.96·0.32) = 3.1 Mbit/s; that met one:
   * 1.65·exp(1.96·0.54) = 4.7 Mbit/s. A rate without losses has no bound.
   *
   * <p>BBR ignores losses: tests too short to show a capacity of 75 Mbit/s over 175 and 196 ms
   * reached 63 and 59, which is within exp(±1.96·{@value #BBR_BEGINNING}).
   *
   * @param deviations z, of a standard normal distribution
   */
  double most(double deviations) {
    double byChance = HopSendingChoice.isBbr(control) ? 0 : 0.5 / Math.sqrt((double) losses);
    double own = HopSendingChoice.isBbr(control) ? BBR_BEGINNING : ModelScatter.of(control);
    return bitsPerSecond * Math.exp(deviations * Math.hypot(own, byChance));
  }
}
