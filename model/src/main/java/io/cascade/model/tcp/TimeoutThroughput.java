package io.cascade.model.tcp;

import java.util.OptionalDouble;

/**
 * Another model's rate less the time that the sender stands still for retransmission timeouts.
 *
 * <p>Formulas of the congestion window know only losses that duplicate acknowledgements tell of.
 * With few packets on the way a loss is often found by a timeout instead, which on Linux lasts 200
 * ms more than the round trip. How likely a loss brings one, and that they come in a row, is as in
 * Padhye, Firoiu, Towsley and Kurose's model, see {@link PftkThroughput}, whose Q and f these are;
 * between timeouts the window is the other model's:
 *
 * <pre>
 * 1/X = 1/Xᵦ + p·Q(Wᵦ)·f·T / ((1 − p)·8·MSS),   Wᵦ = Xᵦ·RTT/(8·MSS)        s/bit
 * T   = min( RTT + 0.2, 9·RTT )                                             s
 * </pre>
 *
 * <p>The nine round trips are measured and not derived: on short paths Linux stands still for less
 * than its timeout, since it probes for what is missing after two round trips (RFC 8985, section
 * 7). Measured with Linux's Reno and CUBIC on links of 2 to 256 ms and 0.01 to 4 %, see
 * docs/experiments/calibration.md: without this term the rate at 24 ms and 2 % is promised to be
 * 1.6 times what it is. Worked value: Mathis with c = 1.31 at 24 ms and 2 %: 4.47 Mbit/s become
 * 2.7.
 *
 * @param model of the window
 */
public record TimeoutThroughput(ThroughputModel model) implements ThroughputModel {

  private static final double MOST_ROUND_TRIPS = 9;

  @Override
  public double bitsPerSecond(PathConditions path) {
    double free = model.bitsPerSecond(path);
    double p = path.lossProbability();
    if (p == 0 || free == 0) {
      return free;
    }
    if (p == 1) {
      return 0;
    }
    double bits = 8.0 * path.mssBytes();
    double window = free * path.rttSeconds() / bits;
    double wait =
        Math.min(
            PftkThroughput.linuxTimeoutSeconds(path.rttSeconds(), 0),
            MOST_ROUND_TRIPS * path.rttSeconds());
    double standing =
        PftkThroughput.timeoutProbability(p, window) * PftkThroughput.timeoutsSeconds(p, wait);
    return 1 / (1 / free + p * standing / bits);
  }

  @Override
  public OptionalDouble windowKeptAtLoss() {
    return model.windowKeptAtLoss();
  }

  @Override
  public String basis() {
    return model.basis() + ", timeouts";
  }

  @Override
  public double validUpToLoss() {
    return model.validUpToLoss();
  }
}
