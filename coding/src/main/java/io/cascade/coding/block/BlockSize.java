package io.cascade.coding.block;

/**
 * Number of packets to send for a block of n so that enough of them arrive: the smallest m ≥ n of
 * which at most m − n are lost with a probability of at least 0.9 (TCP/NC tunnel, NC parameters).
 * Losses have a rate r and a mean burst length l, by a Gilbert chain: from good to bad with
 * probability r/(l·(1 − r)), back with 1/l, and every packet is lost in the bad state.
 *
 * <p>Worked values: n = 40 at r = 0.1, l = 1/(1 − r) (independent losses): m = 47; n = 20: 24; at
 * 0.3: 33 for 20 and 64 for 40.
 */
public final class BlockSize {
  private static final double RECOVERED = 0.9;
  private static final int MOST_PER_SYMBOL = 4;

  private BlockSize() {}

  /**
   * Returns the smallest m.
   *
   * @param n symbols of a block, 1 to 255
   * @param lossRate 0 to below 1
   * @param burstPackets mean length of a loss burst; below 1/(1 − lossRate) losses count as
   *     independent
   * @return n to 4·n
   */
  public static int packetsFor(int n, double lossRate, double burstPackets) {
    if (n < 1 || n > 255 || !(lossRate >= 0 && lossRate < 1)) {
      throw new IllegalArgumentException(
          "block of %d at loss %s (expected: 1 to 255, 0 to below 1)".formatted(n, lossRate));
    }
    if (lossRate == 0) {
      return n;
    }
    double burst = Math.max(burstPackets, 1 / (1 - lossRate));
    double toGood = 1 / burst;
    double toBad = Math.min(1, lossRate / (burst * (1 - lossRate)));
    int most = MOST_PER_SYMBOL * n;
    // Probability that j of the packets so far were lost, by the state after the last one.
    double[] good = new double[most + 1];
    double[] bad = new double[most + 1];
    good[0] = 1 - lossRate;
    bad[1] = lossRate;
    for (int m = 1; m < most; m++) {
      if (m >= n && atMost(good, bad, m - n) >= RECOVERED) {
        return m;
      }
      for (int j = m + 1; j >= 0; j--) {
        double before = j == 0 ? 0 : good[j - 1] * toBad + bad[j - 1] * (1 - toGood);
        good[j] = good[j] * (1 - toBad) + bad[j] * toGood;
        bad[j] = before;
      }
    }
    return most;
  }

  private static double atMost(double[] good, double[] bad, int lost) {
    double sum = 0;
    for (int j = 0; j <= lost; j++) {
      sum += good[j] + bad[j];
    }
    return sum;
  }
}
