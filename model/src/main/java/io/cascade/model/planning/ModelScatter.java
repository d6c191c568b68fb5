package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.PathConditions;

/**
 * Distance of measured rates from predicted ones although loss, round trip and capacity are right:
 * the standard deviation of ln(measured/predicted).
 *
 * <p>Wide enough for the ratios of docs/experiments/calibration.md, whose 5 and 95 % points lie
 * 1.645 standard deviations from the middle, and for single runs, which scatter more than the means
 * of cells:
 *
 * <pre>
 * Reno   0.17    0.82…1.17 direct, 0.76…1.13 through relays
 * CUBIC  0.20    0.79…1.40 direct, 0.80…1.24 through relays
 * BBR    0.02    0.97…0.98 direct, 0.98…1.00 through relays
 * </pre>
 *
 * <p>BBR's stands for every rate that a capacity or a window sets, where losses alone would allow
 * at least twice as much. Nearer than that a sender is often held back by both, and the rate
 * scatters as if losses set it, unless the same congestion control was seen to fill the link: then
 * files took 1.01 to 1.06 times the predicted time on two paths of the report card: {@value
 * #FILLED}. BBR version 3 has no measurements and gets five times as much.
 *
 * <p>Those ratios are of links that nothing else used. Where the planner has a relay send with BBR
 * instead of what it usually sends with, its rate is what others leave it: beside one other
 * connection 0.77 to 0.94 of the predicted one (docs/experiments/fairness.md). Until outcomes say
 * more it gets 0.20, whose lower bound is 0.68 of the prediction.
 *
 * <p>Coded hops get as much, for the same reason: alone on their link they were within 0.05 of the
 * prediction, beside a connection of TCP they had what docs/experiments/coded-lab.md says.
 *
 * <p>Half of the variance is taken to be the model's error on this very link, which outcomes over
 * it correct, and half that of a single transfer, which nothing takes away. With outcomes that
 * weigh n, see {@link io.cascade.model.calibration.Correction},
 *
 * <pre>
 * s(n)² = s²/2 · ( 1 + 1/(n + 1) )
 * </pre>
 *
 * <p>Worked value: CUBIC after outcomes of a weight of 3: 0.2·√(0.5·1.25) = 0.158.
 */
final class ModelScatter {

  /** A rate at which the same congestion control was seen to fill the link. */
  static final double FILLED = 0.04;

  private static final double RENO = 0.17;
  private static final double CUBIC = 0.20;
  private static final double BY_CAPACITY = 0.02;
  private static final double BBR_V3 = 0.10;
  private static final double CHOSEN_BBR = 0.20;
  private static final double CODED = 0.20;

  private static final double NEAR = 2;

  private ModelScatter() {}

  /**
   * The scatter of a hop's rate.
   *
   * @param changed whether the sender usually sends with another control
   * @param evidence what the link's outcomes weigh, &gt;= 0
   */
  static double of(CongestionControl control, Hop hop, boolean changed, double evidence) {
    double prior = changed && HopSendingChoice.isBbr(control) ? CHOSEN_BBR : prior(control, hop);
    return prior * Math.sqrt((1 + 1 / (evidence + 1)) / 2);
  }

  private static double prior(CongestionControl control, Hop hop) {
    return switch (hop.steadyRate().limit()) {
      case NOTHING_KNOWN -> 0;
      case CONGESTION_CONTROL -> of(control);
      case CAPACITY, RECEIVE_WINDOW -> isNearLosses(hop) ? of(control) : BY_CAPACITY;
    };
  }

  /** Whether losses alone would allow less than twice the rate. */
  private static boolean isNearLosses(Hop hop) {
    double byLosses =
        hop.model()
            .bitsPerSecond(
                new PathConditions(
                    hop.rttSeconds(),
                    hop.lossProbability(),
                    hop.mssBytes(),
                    Double.POSITIVE_INFINITY));
    return byLosses < NEAR * hop.steadyRate().bitsPerSecond();
  }

  /** The scatter of a rate that losses set, nothing learned of the link. */
  static double of(CongestionControl control) {
    return switch (control) {
      case RENO -> RENO;
      case CUBIC -> CUBIC;
      case BBR -> BY_CAPACITY;
      case BBR_V3 -> BBR_V3;
      case CODED -> CODED;
    };
  }
}
