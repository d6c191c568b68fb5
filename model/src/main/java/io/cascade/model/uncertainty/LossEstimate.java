package io.cascade.model.uncertainty;

import io.cascade.model.units.Require;

/**
 * A loss probability estimated from {@code lost} losses among {@code sent} packets.
 *
 * <p>Bounds are Clopper and Pearson's ("The use of confidence or fiducial limits illustrated in the
 * case of the binomial", Biometrika 26, 1934): exact for independent losses, never too narrow. If
 * losses occur in bursts, loss events have to be counted instead of lost packets; otherwise the
 * bounds are too narrow.
 *
 * <p><b>Convention:</b> a confidence is one-sided. At 0.95 the truth lies above {@link #upper} in
 * at most 5 % of cases and below {@link #lower} in at most 5 %; the pair is a two-sided 90 %
 * interval. With {@code lost} = 0 the upper bound is 1 − 0.05^(1/n), the "rule of three" 3/n.
 */
public record LossEstimate(long lost, long sent) {

  /** The one-sided confidence by default. */
  public static final double CONFIDENCE = 0.95;

  /** Checks the counts. */
  public LossEstimate {
    Require.atLeast("sent", sent, 1);
    if (lost < 0 || lost > sent) {
      throw Require.outside("lost", lost, "0.." + sent);
    }
  }

  /**
   * The loss of one direction from exchanges of a packet each way, such as connection attempts, in
   * which a lost SYN cannot be distinguished from a lost SYN-ACK:
   *
   * <pre>
   * 1 − (1 − p)² = failed/exchanges        losses = 2·exchanges·p, of 2·exchanges packets
   * </pre>
   *
   * <p>Both directions are assumed to have the same loss. Worked values: 1 of 50 exchanges is 1 of
   * 100 packets, 25 of 50 are 29 of 100, 50 of 50 are 100 of 100.
   *
   * @param failed exchanges that lost a packet in either direction
   */
  public static LossEstimate ofExchanges(long failed, long exchanges) {
    LossEstimate both = new LossEstimate(failed, exchanges);
    long packets = 2 * both.sent;
    double oneWay = 1 - Math.sqrt(1 - (double) failed / exchanges);
    return new LossEstimate(Math.round(packets * oneWay), packets);
  }

  /**
   * The estimate a model computes with: (k + ½)/(n + 1), the mean of Jeffreys' posterior, Beta(k +
   * ½, n − k + ½).
   *
   * <p>Close to k/n after some losses, and above zero without any, for which k/n would give an
   * unlimited rate. Worked values: 0 of 1000 gives 0.0005, 3 of 1000 gives 0.0035.
   */
  public double likely() {
    return (lost + 0.5) / (sent + 1.0);
  }

  /** The lower bound at {@link #CONFIDENCE}; 0 when nothing was lost. */
  public double lower() {
    return lower(CONFIDENCE);
  }

  /** The upper bound at {@link #CONFIDENCE}; never 0. */
  public double upper() {
    return upper(CONFIDENCE);
  }

  /**
   * The one-sided lower bound: the (1 − confidence) quantile of Beta(k, n − k + 1).
   *
   * @param confidence between 0 and 1, both excluded
   */
  public double lower(double confidence) {
    double tail = tail(confidence);
    if (lost == 0) {
      return 0;
    }
    if (lost == sent) {
      return Math.pow(tail, 1.0 / sent);
    }
    return BetaQuantile.of(tail, (double) lost, sent - lost + 1.0);
  }

  /**
   * The one-sided upper bound: the confidence quantile of Beta(k + 1, n − k).
   *
   * @param confidence between 0 and 1, both excluded
   */
  public double upper(double confidence) {
    double tail = tail(confidence);
    if (lost == sent) {
      return 1;
    }
    if (lost == 0) {
      return -Math.expm1(Math.log(tail) / sent);
    }
    return BetaQuantile.of(confidence, lost + 1.0, (double) (sent - lost));
  }

  /** The likely value between the bounds at the given one-sided confidence. */
  public Interval interval(double confidence) {
    return Interval.around(likely(), lower(confidence), upper(confidence));
  }

  /** The estimate from {@code factor} times as many packets with the same share of losses. */
  public LossEstimate repeated(long factor) {
    Require.atLeast("factor", factor, 1);
    return new LossEstimate(Math.multiplyExact(lost, factor), Math.multiplyExact(sent, factor));
  }

  private static double tail(double confidence) {
    if (!(confidence > 0 && confidence < 1)) {
      throw Require.outside("confidence", confidence, "between 0 and 1, both excluded");
    }
    return 1 - confidence;
  }
}
