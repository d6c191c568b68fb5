package io.cascade.model.cascade;

import io.cascade.model.units.Require;

/**
 * Number of coded packets that must leave so that enough of them arrive.
 *
 * <pre>
 * m = smallest with  P( at most m − n of m packets lost ) ≥ P₀
 * </pre>
 *
 * <p>The rule of the sources' TCP/NC tunnel for independent losses: any n of the m packets of a
 * block restore it. Its rule for bursts also needs their lengths.
 *
 * <p>Worked values at P₀ = 0.9: (n, m) = (40, 47) at 10 % loss, as published. The tunnel over two
 * such links, 19 %, reports (25, 35): this rule has 34 at 19 % and 35 at 20 %.
 *
 * @param lossProbability of a packet, below 1
 * @param recovery P₀, between 0 and 1, both excluded; 0.9 in the tunnel
 */
public record PacketRedundancy(double lossProbability, double recovery) {

  /** Checks both. */
  public PacketRedundancy {
    if (!(lossProbability >= 0 && lossProbability < 1)) {
      throw Require.outside("lossProbability", lossProbability, "0 or more and below 1");
    }
    if (!(recovery > 0 && recovery < 1)) {
      throw Require.outside("recovery", recovery, "between 0 and 1, both excluded");
    }
  }

  /**
   * m for n packets, 1 to 10 000 of them.
   *
   * <p>m packets suffice when the n-th arrival is no later than the m-th packet, so the
   * probabilities that it is exactly the m-th are added up: C(m−1, n−1)·(1−p)ⁿ·p^(m−n).
   */
  public int packetsFor(int packets) {
    if (packets < 1 || packets > 10_000) {
      throw Require.outside("packets", packets, "1..10000");
    }
    double logTerm = packets * Math.log1p(-lossProbability);
    double sum = Math.exp(logTerm);
    int sent = packets;
    while (sum < recovery) {
      logTerm += Math.log(lossProbability * sent / (sent - packets + 1));
      sum += Math.exp(logTerm);
      sent++;
    }
    return sent;
  }
}
