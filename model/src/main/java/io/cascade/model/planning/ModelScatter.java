package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.PathConditions;

/**
 * Deviation of measured rates from predicted ones with correct loss, round-trip time and capacity:
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
 * <p>BBR's applies to every rate that a capacity or a window sets, if losses alone would allow at
 * least twice as much. Below that a sender is often limited by both, and the rate scatters as if
 * losses set it, unless the same congestion control has filled the link: then files took 1.01 to
 * 1.06 times the predicted time on two paths of the report card: {@value #FILLED}. BBR version 3
 * has no measurements and gets five times as much.
 *
 * <p>Those ratios are of links without other traffic. If the planner has a relay use BBR instead of
 * its usual control, its rate depends on other connections: beside one other connection 0.77 to
 * 0.94 of the predicted one (docs/experiments/fairness.md). Until outcomes say more it gets 0.20,
 * whose lower bound is 0.68 of the prediction.
 *
 * <p>Coded hops get the same value for the same reason: alone on their link they were within 0.05
 * of the prediction; for their rates beside a TCP connection see docs/experiments/coded-lab.md.
 *
 * <p>Half of the variance is assumed to be the model's error on this link, which outcomes over it
 * correct, and half that of a single transfer, which remains. With outcomes of a total weight n,
 * see {@link io.cascade.model.calibration.Correction},
 *
 * <pre>
 * s(n)² = s²/2 · ( 1 + 1/(n + 1) )
 * </pre>
 *
 * <p>Worked value: CUBIC after outcomes of a weight of 3: 0.2·√(0.5·1.25) = 0.158.
 */
final class ModelScatter {

  /** Scatter of a rate at which the same congestion control has filled the link. */
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
   * @param changed whether the sender usually uses another control
   * @param evidence weight of the link's outcomes, &gt;= 0
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

  /** The scatter of a rate that losses set, without outcomes of the link. */
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
