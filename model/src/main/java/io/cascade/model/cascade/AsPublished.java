package io.cascade.model.cascade;

import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.units.Require;
import java.util.List;

/**
 * The equations of Kalim, Gardner, Brown and Feng, "Cascaded TCP: applying pipelining to TCP for
 * efficient communication over wide-area networks", as they were published, to reproduce that
 * paper's figures. {@link Cascade} has them corrected; the corrections are named at each equation
 * here.
 *
 * <p>Range: losses above zero, as every equation but (7) divides by √p or leaves no time without
 * it. Worked values for 64 ms, 0.1 %, 100 MB and 1448-byte packets, without a relay and with one in
 * the middle, loss unchanged: (4) 7.01 Mbit/s, (5) 114.1 s, (6) 58.1 s, (7) 0.096 s, (1) 58.2 s,
 * and by (8) 16.2 Mbit/s with one relay, which c would make 19.8.
 *
 * <p>Published bounds of the form "T ≤" are read as equalities: from a bound X ≤ on throughput
 * follows T ≥ on time.
 *
 * @param constant c of equation 4; the paper takes √(3/2)
 * @param startWindows W of equation 6; the paper takes 16
 */
public record AsPublished(double constant, double startWindows) {

  /** The paper's own choice of c and W. */
  public static final AsPublished DEFAULTS =
      new AsPublished(MathisThroughput.periodicLoss(1).constant(), 16);

  /** Checks the parameters. */
  public AsPublished {
    Require.positive("constant", constant);
    Require.notNegative("startWindows", startWindows);
  }

  /**
   * Equation 4: c·MSS/(RTT·√p), in bit/s.
   *
   * <p>Corrected: no cap by capacity or window; c = √(3/2) is for periodic loss.
   */
  public double bitsPerSecond(Hop path) {
    return 8 * constant * path.mssBytes() / costPerSegment(path);
  }

  /**
   * Equation 5: T_lh = S·RTT·√p / (c·MSS), in seconds.
   *
   * <p>Corrected: no cap by capacity or window, and no handshake or slow start although the cascade
   * is charged both.
   */
  public double longHaulSeconds(Hop path, long bytes) {
    return bytes * costPerSegment(path) / (constant * path.mssBytes());
  }

  /**
   * Equation 6: T_pc = S·RTT_k·√p_k / (c·MSS) + W·Σ RTTᵢ, in seconds; k is the hop with the lowest
   * bandwidth.
   *
   * <p>Corrected: the paper prints k = arg min RTTᵢ√pᵢ beside the words "lowest available
   * bandwidth", which is the arg max taken here. The sum includes the last hop although only relays
   * wait. Slow start from ten packets passes 64 KB after three rounds, not 16.
   */
  public double pipelinedTransferSeconds(List<Hop> hops, long bytes) {
    Hop bottleneck = hops.getFirst();
    double rttSum = 0;
    for (Hop hop : hops) {
      rttSum += hop.rttSeconds();
      if (costPerSegment(hop) > costPerSegment(bottleneck)) {
        bottleneck = hop;
      }
    }
    return longHaulSeconds(bottleneck, bytes) + startWindows * rttSum;
  }

  /**
   * Equation 7: T_setup = 1.5·RTT with RTT from sender to receiver, relays set up in parallel.
   *
   * <p>Corrected: this includes the first payload's way, which must not be added again.
   */
  public double setupSeconds(double rttSeconds) {
    return 1.5 * Require.positive("rttSeconds", rttSeconds);
  }

  /**
   * Equation 1: T_cascaded = T_setup + T_proc + T_transfer, where equation 6 already holds T_proc.
   */
  public double cascadedSeconds(List<Hop> hops, long bytes) {
    double rtt = hops.stream().mapToDouble(Hop::rttSeconds).sum();
    return setupSeconds(rtt) + pipelinedTransferSeconds(hops, bytes);
  }

  /**
   * The right side of inequality 3, T_lh − T_transfer, in seconds: the upper limit of a cascade's
   * overhead; negative if no overhead is small enough.
   *
   * <p>Corrected: T_transfer holds T_proc already, so the overhead to compare is the set-up alone,
   * and with it (3) is equivalent to (2), T_cascaded &lt; T_lh.
   */
  public double overheadAllowanceSeconds(Hop path, List<Hop> hops, long bytes) {
    return longHaulSeconds(path, bytes) - pipelinedTransferSeconds(hops, bytes);
  }

  /**
   * Equation 8: MSS/(RTT/R) · 1/√(p/R) = R^1.5·K for R = relays + 1 equal hops, in bit/s.
   *
   * <p>Corrected: c is dropped, and R^1.5 needs the loss divided among the hops, while the paper's
   * text and its figure 4 report a doubling for one relay: the loss unchanged.
   */
  public double bitsPerSecondWithRelays(Hop path, int relays) {
    Require.atLeast("relays", relays, 0);
    return Math.pow(relays + 1.0, 1.5) * 8 * path.mssBytes() / costPerSegment(path);
  }

  /** Equation 9: the slope of equation 8, 3/2·√R·K, in bit/s per further hop. */
  public double marginalBitsPerSecond(Hop path, int relays) {
    Require.atLeast("relays", relays, 0);
    return 1.5 * Math.sqrt(relays + 1.0) * 8 * path.mssBytes() / costPerSegment(path);
  }

  private static double costPerSegment(Hop hop) {
    return hop.rttSeconds() * Math.sqrt(hop.lossProbability());
  }
}
