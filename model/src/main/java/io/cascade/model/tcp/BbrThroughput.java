package io.cascade.model.tcp;

import io.cascade.model.units.Require;
import java.util.OptionalDouble;

/**
 * BBR's throughput, a heuristic: no closed response function is known.
 *
 * <p>BBR paces at the bandwidth that it has measured and reacts little to loss up to a share that
 * depends on its version:
 *
 * <pre>
 * v1:  0.98·C·(1−p) up to p = 15 %, then linearly down to 0 at 20 %
 * v3:  0.98·C·(1−p) up to p =  1 %, then linearly down to CUBIC's rate, which then applies
 * </pre>
 *
 * <p>The plateau follows Cardwell, Cheng, Gunn, Yeganeh and Jacobson, "BBR: congestion-based
 * congestion control", ACM Queue 14(5), 2016, figure 8. The behaviour of version 3 beyond its 2 %
 * loss threshold is not published; a loss-based sender's rate is a conservative substitute. C is
 * the payload capacity: if it is unknown the result is infinite and says only that loss is not the
 * limit.
 *
 * <p>Worked value: v1, C = 100 Mbit/s, p = 1 %: 97.0 Mbit/s at any round-trip time.
 *
 * @param version as {@link #basis} names it
 * @param fullUntilLoss loss up to which the plateau holds
 * @param nothingFromLoss loss at which the rate has fallen to 0
 * @param cubicBelow whether a loss-based rate applies if it is larger
 */
public record BbrThroughput(
    String version, double fullUntilLoss, double nothingFromLoss, boolean cubicBelow)
    implements ThroughputModel {

  private static final double UTILISATION = 0.98;
  private static final CubicThroughput LOSS_BASED = new CubicThroughput();

  /** Version 1, the one in Linux. */
  public static final BbrThroughput V1 = new BbrThroughput("v1", 0.15, 0.20, false);

  /** Version 3. */
  public static final BbrThroughput V3 = new BbrThroughput("v3", 0.01, 0.02, true);

  /** Checks the thresholds. */
  public BbrThroughput {
    Require.probability("fullUntilLoss", fullUntilLoss);
    Require.probability("nothingFromLoss", nothingFromLoss);
    if (nothingFromLoss <= fullUntilLoss) {
      throw Require.outside("nothingFromLoss", nothingFromLoss, "> " + fullUntilLoss);
    }
  }

  @Override
  public double bitsPerSecond(PathConditions path) {
    double share = plateauShare(path.lossProbability());
    double paced =
        share == 0
            ? 0
            : UTILISATION
                * share
                * (1 - path.lossProbability())
                * path.payloadCapacityBitsPerSecond();
    return cubicBelow
        ? Math.max(
            paced,
            Math.min(
                LOSS_BASED.bitsPerSecond(path), path.payloadCapacityBitsPerSecond() * UTILISATION))
        : paced;
  }

  private double plateauShare(double lossProbability) {
    if (lossProbability <= fullUntilLoss) {
      return 1;
    }
    return Math.max(0, (nothingFromLoss - lossProbability) / (nothingFromLoss - fullUntilLoss));
  }

  @Override
  public OptionalDouble windowKeptAtLoss() {
    return OptionalDouble.empty();
  }

  @Override
  public String basis() {
    return "bbr " + version + ", heuristic";
  }

  @Override
  public double validUpToLoss() {
    return fullUntilLoss;
  }
}
