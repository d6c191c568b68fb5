package io.cascade.model.cascade;

import io.cascade.model.units.Require;

/**
 * Division of a path's loss when relays divide it into equal hops.
 *
 * <p>Decides most of a cascade's gain and cannot be computed, so the caller has to choose: with
 * Reno, R hops gain R with the loss unchanged and R^1.5 with the loss divided.
 */
public enum LossDivision {
  /**
   * Every hop loses as much as the whole path did, as if all loss occurred on a part that each hop
   * still includes.
   */
  UNCHANGED,
  /** The hops together lose what the path did: 1 − (1−p)^(1/R) each, about p/R. */
  DIVIDED;

  /**
   * The loss of each of {@code hops} equal hops of a path that loses {@code pathLoss}.
   *
   * <p>Worked value: 1 % over two hops is 1 % each, or divided 0.501 % each.
   */
  public double perHop(double pathLoss, int hops) {
    Require.probability("pathLoss", pathLoss);
    Require.atLeast("hops", hops, 1);
    return switch (this) {
      case UNCHANGED -> pathLoss;
      case DIVIDED -> -Math.expm1(Math.log1p(-pathLoss) / hops);
    };
  }
}
