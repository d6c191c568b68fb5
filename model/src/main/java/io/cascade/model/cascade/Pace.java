package io.cascade.model.cascade;

import io.cascade.model.units.Require;
import java.util.OptionalDouble;

/**
 * Spacing of a hop's packets in the course of a transfer, once windows no longer double: at first
 * the closest that link and receiver allow, later that of the congestion control's steady state.
 *
 * <p>A sender grows its window until the first loss, which comes after 1/p packets on average, and
 * every loss reduces the window only by a share, so that it approaches its steady state over
 * several losses. The mean of a window that grows by α packets a round trip and is multiplied by β
 * at a loss follows
 *
 * <pre>
 * d(W²)/dn = −λ·(W² − W∞²),   λ = 2(1 − β)·p
 * n₁ = 1/p,   W₀ = min( β(w₁ + n₁), window that link and receiver allow )
 * W(n)² = W∞² + (W₀² − W∞²)·e^(−λ(n − n₁))                    for n ≥ n₁
 * s(n)  = RTT/W(n),   s∞ = RTT/W∞,   s₀ = RTT/W₀
 * time for m packets from n₁ on = m·s∞ − (2·s∞/λ)·ln( (1 + y(0))/(1 + y(m)) ),   y = s∞/s
 * </pre>
 *
 * <p>which is the fluid limit of additive increase and multiplicative decrease under random loss,
 * with the rate model's own W∞ in place of the fluid limit's. A finite transfer is therefore ahead
 * of its steady rate by up to 2·s∞/λ·ln((1 + y(0))/2): loss has little effect on transfers of a few
 * times 1/p packets.
 *
 * <p>Range: as the rate's model; losses of the overshoot that ends slow start are not counted, nor
 * timeouts after it. Worked value: 30.1 Mbit/s of payload, 64 ms, p = 0.1 %, Reno's steady 7.5
 * Mbit/s: the first 1000 packets leave 0.385 ms apart, the next 1900 take 1.15 s where the steady
 * state would take 2.93 s.
 */
public final class Pace {

  private final double steadySpacing;
  private final double fullSpacing;
  private final double firstLoss;
  private final double relaxation;
  private final double headStart;

  private Pace(
      double steadySpacing,
      double fullSpacing,
      double firstLoss,
      double relaxation,
      double headStart) {
    this.steadySpacing = steadySpacing;
    this.fullSpacing = fullSpacing;
    this.firstLoss = firstLoss;
    this.relaxation = relaxation;
    this.headStart = headStart;
  }

  /** Pace of a hop that a source never starves. */
  public static Pace of(Hop hop, int initialWindow) {
    OptionalDouble kept = hop.model().windowKeptAtLoss();
    return of(
        hop.steadyRate().bitsPerSecond(),
        hop.unhinderedBitsPerSecond(),
        hop.rttSeconds(),
        hop.lossProbability(),
        kept.orElse(1),
        hop.mssBytes(),
        initialWindow);
  }

  /**
   * The same from numbers, for searches that look at millions of hops.
   *
   * @param bitsPerSecond in the steady state
   * @param unhinderedBitsPerSecond rate that link and receiver allow; infinite if neither is known
   * @param windowKept β; 1 for a sender that does not react to single losses, and is steady at once
   */
  public static Pace of(
      double bitsPerSecond,
      double unhinderedBitsPerSecond,
      double rttSeconds,
      double lossProbability,
      double windowKept,
      int mssBytes,
      int initialWindow) {
    double steady = 8 * mssBytes / bitsPerSecond;
    double full = 8 * mssBytes / unhinderedBitsPerSecond;
    if (windowKept == 1 || lossProbability == 0 || full >= steady || Double.isInfinite(steady)) {
      return steady(steady);
    }
    double firstLoss = 1 / lossProbability;
    double atFirst = Math.max(full, rttSeconds / (windowKept * (initialWindow + firstLoss)));
    double lead = steady / Math.min(atFirst, steady);
    return new Pace(
        steady, full, firstLoss, 2 * (1 - windowKept) * lossProbability, lead * lead - 1);
  }

  /** The same from the first packet to the last. */
  public static Pace steady(double spacingSeconds) {
    if (!(spacingSeconds >= 0)) {
      throw Require.outside("spacingSeconds", spacingSeconds, ">= 0");
    }
    return new Pace(spacingSeconds, spacingSeconds, Double.POSITIVE_INFINITY, 0, 0);
  }

  /** s∞; infinite if nothing is ever delivered. */
  double steadySpacingSeconds() {
    return steadySpacing;
  }

  /** Spacing that link and receiver allow, at which slow start ends; 0 if neither is known. */
  double fullSpacingSeconds() {
    return fullSpacing;
  }

  /** n₁: packets before the first loss on average; infinite if losses have no effect. */
  double firstLoss() {
    return firstLoss;
  }

  /** Time from packet {@code from}'s leaving to packet {@code to}'s; both count from 0. */
  double secondsBetween(long from, long to) {
    double early = Math.min((double) to, firstLoss) - Math.min((double) from, firstLoss);
    double seconds = early * fullSpacing;
    if (to > firstLoss) {
      double begin = Math.max(0, from - firstLoss);
      double end = to - firstLoss;
      double saved = 2 * steadySpacing / relaxation * Math.log((1 + lead(begin)) / (1 + lead(end)));
      seconds += (end - begin) * steadySpacing - saved;
    }
    return seconds;
  }

  /** y, by how much closer than in the steady state packets are, {@code packets} after n₁. */
  private double lead(double packets) {
    return Math.sqrt(1 + headStart * Math.exp(-relaxation * packets));
  }
}
