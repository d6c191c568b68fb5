package io.cascade.model.planning;

import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.Normal;
import java.util.Optional;

/**
 * The decision between the direct path and the best cascade; {@code throughRelays} is the likelier
 * choice if the decision is open.
 *
 * <p>The gain is the direct path's cost over the cascade's. Its bounds combine both predictions'
 * bounds as those of {@linkplain Interval#dividedByIndependent independent estimates}: the direct
 * path and a cascade have no link in common, and each link's losses were counted separately.
 * Candidates that do share links are only ranked, all at their likely losses, so no loss is counted
 * in opposite senses.
 *
 * <ol>
 *   <li>No cascade was predicted: DIRECT, the only way.
 *   <li>There is no direct path: CASCADE, at any rate.
 *   <li>The direct path was not measured: UNDECIDED.
 *   <li>Nothing known limits the direct path's rate (BBR and no capacity measured): DIRECT. Loss
 *       does not limit it, and relays could help only around an unknown bottleneck.
 *   <li>The direct path's sender has BBR, losses are below those that BBR reacts to, and it was not
 *       tried there: DIRECT if no rate was observed, or none below the cascade's. Otherwise the
 *       rules below apply, and if they leave it open direct is the likelier choice.
 *   <li>A hop of the cascade is the direct path itself, under the same congestion control: DIRECT.
 *   <li>The gain lies within {@value Decision#TOO_LITTLE_GAIN} to either side of 1; or its likely
 *       value does, and its bounds hold 1 and are within {@value #NARROW}: EQUAL.
 *   <li>The gain's lower bound is above 1 and its likely value is not practically 1: CASCADE.
 *   <li>The gain's upper bound is at most {@value Decision#TOO_LITTLE_GAIN}, or the direct path's
 *       regret at most {@value #MOST_REGRET}: DIRECT.
 *   <li>The gain's likely value is not practically 1, and the cascade's regret is at most {@value
 *       #MOST_REGRET}: CASCADE.
 *   <li>Otherwise UNDECIDED.
 * </ol>
 *
 * <p>The regret of a choice is how much longer it takes than the other one on average over the
 * distribution of the gain g, where ln g is assumed to be normal around the likely value, with the
 * standard deviation that the bound on that side implies. A gain up to {@value
 * Decision#TOO_LITTLE_GAIN} does not justify relays, so the regret of the direct path counts only
 * the gain beyond it:
 *
 * <pre>
 * regret of the cascade    E[ max(0, −ln g) ]
 * regret of direct         E[ max(0, ln(g/1.1)) ]
 * E[ max(0, x) ] = σ·( φ(m/σ) + m/σ·Φ(m/σ) )       of a normal x around m
 * </pre>
 *
 * <p>Worked value: bounds of 0.8..1.3..2.11 at 97.5 % are σ = 0.248 to either side, the cascade's
 * regret is 0.018: CASCADE, although it may be slower. A rule by bounds alone would leave two
 * equally fast ways undecided forever, since the model's own scatter never vanishes.
 *
 * <p>A way over which no rate was ever observed has no lower bound of its rate, so such a cascade
 * never wins by it. But losses limit a direct path without an observed rate, and may decide for the
 * cascade, and the losses of such a cascade may decide against it.
 *
 * <p>Choosing the best of many cascades favours those with lucky measurements, and the slowest of
 * several uncertain hops is slower than the one that looks slowest. So the mean gain is used: the
 * cascade's cost is multiplied by its {@linkplain Prediction#overestimate overestimate}. {@code
 * DecisionErrorTest} simulates decisions with losses drawn from a known distribution: their cost is
 * below the regret that the rule allows.
 */
record Verdict(Decision decision, Optional<Interval> gain, boolean throughRelays) {

  /** Mean cost in time that a decision may have, as a share. */
  static final double MOST_REGRET = 0.03;

  /** A gain whose bounds are within this factor of 1 to either side is known well. */
  static final double NARROW = 1.25;

  /** Decides by the request's objective, if the request leaves a choice. */
  static Verdict of(Candidate direct, Optional<Candidate> bestCascade, RouteQuestion request) {
    Verdict byTime = of(direct, bestCascade, request.confidence());
    boolean noOtherWay = !request.directPathExists() && bestCascade.isPresent();
    if (!request.via().isEmpty() || noOtherWay) {
      return new Verdict(Decision.CASCADE, byTime.gain, true);
    }
    boolean cascadeReaches = bestCascade.filter(one -> one.reaches(request)).isPresent();
    boolean byPrice =
        request.objective() == Objective.PRICE && (cascadeReaches || direct.reaches(request));
    if (!byPrice || bestCascade.flatMap(Candidate::prediction).isEmpty()) {
      return byTime;
    }
    return byPrice(direct, bestCascade.get(), request, byTime.gain);
  }

  /**
   * Decides by price at a required rate. The uncertainty is whether the rate is reached: the chosen
   * way must reach it at the lower bound of its goodput, and a cheaper rival must miss it even at
   * the upper bound.
   */
  private static Verdict byPrice(
      Candidate direct, Candidate cascade, RouteQuestion request, Optional<Interval> gain) {
    boolean cascadeCheaper = cascade.pricePerGibibyte() < direct.pricePerGibibyte();
    boolean relays = cascade.reaches(request) && (cascadeCheaper || !direct.reaches(request));
    Candidate chosen = relays ? cascade : direct;
    Candidate other = relays ? direct : cascade;
    double rate = request.limits().leastBitsPerSecond().orElse(0);
    boolean sure = goodput(chosen).low() >= rate;
    boolean otherMayDo =
        other.pricePerGibibyte() < chosen.pricePerGibibyte() && goodput(other).high() >= rate;
    Decision decision = relays ? Decision.CASCADE : Decision.DIRECT;
    return new Verdict(sure && !otherMayDo ? decision : Decision.UNDECIDED, gain, relays);
  }

  private static Interval goodput(Candidate candidate) {
    return candidate
        .prediction()
        .map(Prediction::goodputBitsPerSecond)
        .orElse(new Interval(0, 0, 0));
  }

  private static Verdict of(Candidate direct, Optional<Candidate> bestCascade, double confidence) {
    Optional<Prediction> cascade = bestCascade.flatMap(Candidate::prediction);
    if (cascade.isEmpty()) {
      return new Verdict(Decision.DIRECT, Optional.empty(), false);
    }
    if (direct.prediction().isEmpty()) {
      return new Verdict(Decision.UNDECIDED, Optional.empty(), true);
    }
    Prediction without = direct.prediction().get();
    boolean unlimited =
        without.hasLikelyRate() && Double.isInfinite(without.steadyBitsPerSecond().likely());
    Verdict verdict =
        of(
            unlimited,
            without.cost(),
            cascade.get().cost(),
            cascade.get().overestimate(),
            confidence);
    if (isUntriedBbr(direct, without)) {
      boolean seenLess =
          without.hasLikelyRate()
              && verdict.gain.filter(gain -> gain.likely() > Decision.TOO_LITTLE_GAIN).isPresent();
      return seenLess && verdict.decision == Decision.UNDECIDED
          ? new Verdict(verdict.decision, verdict.gain, false)
          : seenLess ? verdict : verdict.direct();
    }
    // If only one of two ways has an observed rate, that one is the likelier choice.
    boolean onlyDirectSeen = without.hasLikelyRate() && !cascade.get().hasLikelyRate();
    return onlyDirectSeen ? new Verdict(verdict.decision, verdict.gain, false) : verdict;
  }

  /**
   * Whether the sender has BBR that was not tried here, so that losses would not keep it from the
   * unknown capacity.
   */
  private static boolean isUntriedBbr(Candidate direct, Prediction prediction) {
    return HopSendingChoice.isBbr(direct.congestionControl())
        && !prediction.isEstimate()
        && prediction.bottleneckHop().lossProbability().high()
            <= direct.congestionControl().model().validUpToLoss();
  }

  /**
   * Decides by costs alone.
   *
   * @param unlimited whether nothing known limits the direct path's rate
   * @param overestimate factor by which the cascade is slower on average
   * @param confidence of each bound of the costs
   */
  static Verdict of(
      boolean unlimited,
      Interval direct,
      Interval cascade,
      double overestimate,
      double confidence) {
    Interval gain = direct.dividedByIndependent(cascade);
    Interval expected = gain.dividedByIndependent(Interval.exactly(overestimate));
    Decision decision = unlimited ? Decision.DIRECT : decide(expected, Normal.quantile(confidence));
    boolean relays =
        decision == Decision.CASCADE
            || (decision == Decision.UNDECIDED && expected.likely() > Decision.TOO_LITTLE_GAIN);
    return new Verdict(decision, Optional.of(gain), relays);
  }

  /** The same gain, decided for the direct path. */
  Verdict direct() {
    return new Verdict(Decision.DIRECT, gain, false);
  }

  private static Decision decide(Interval gain, double deviations) {
    if (isEqual(gain)) {
      return Decision.EQUAL;
    }
    boolean worthIt = gain.likely() > Ranking.PRACTICALLY_EQUAL;
    if (gain.low() > 1 && worthIt) {
      return Decision.CASCADE;
    }
    double likely = Math.log(gain.likely());
    double above = Math.log(gain.high() / gain.likely()) / deviations;
    if (gain.high() <= Decision.TOO_LITTLE_GAIN
        || excess(likely - Math.log(Decision.TOO_LITTLE_GAIN), above) <= MOST_REGRET) {
      return Decision.DIRECT;
    }
    double below = Math.log(gain.likely() / gain.low()) / deviations;
    return worthIt && excess(-likely, below) <= MOST_REGRET ? Decision.CASCADE : Decision.UNDECIDED;
  }

  private static boolean isEqual(Interval gain) {
    boolean holdsOne = gain.low() <= 1 && gain.high() >= 1;
    return isWithin(gain.low(), gain.high(), Decision.TOO_LITTLE_GAIN)
        || (holdsOne
            && isWithin(gain.likely(), gain.likely(), Decision.TOO_LITTLE_GAIN)
            && isWithin(gain.low(), gain.high(), NARROW));
  }

  private static boolean isWithin(double low, double high, double factor) {
    return low >= 1 / factor && high <= factor;
  }

  /** The mean of the positive part of a normal variable; infinite without a bound. */
  private static double excess(double mean, double deviation) {
    if (Double.isNaN(mean) || !Double.isFinite(deviation)) {
      return Double.POSITIVE_INFINITY;
    }
    if (deviation == 0) {
      return Math.max(0, mean);
    }
    double x = mean / deviation;
    return deviation * (Normal.density(x) + x * Normal.below(x));
  }
}
