package io.cascade.model.tcp;

import java.util.OptionalDouble;

/**
 * Another model's rate, reduced by the time that the sender waits for retransmission timeouts.
 *
 * <p>Formulas of the congestion window include only losses that duplicate acknowledgements show.
 * With few packets in flight a loss is often detected by a timeout instead, which on Linux is 200
 * ms longer than the round trip. The probability that a loss causes a timeout, and the length of a
 * series of them, are Q and f of the model of Padhye, Firoiu, Towsley and Kurose, see {@link
 * PftkThroughput}; between timeouts the window is the other model's:
 *
 * <pre>
 * 1/X = 1/Xᵦ + p·Q(Wᵦ)·f·T / ((1 − p)·8·MSS),   Wᵦ = Xᵦ·RTT/(8·MSS)        s/bit
 * T   = min( RTT + 0.2, 9·RTT )                                             s
 * </pre>
 *
 * <p>The nine round trips are measured and not derived: on short paths Linux waits less than its
 * timeout, since it sends a tail loss probe after two round trips (RFC 8985, section 7). Measured
 * with Linux's Reno and CUBIC on links of 2 to 256 ms and 0.01 to 4 %, see
 * docs/experiments/calibration.md: without this term the predicted rate at 24 ms and 2 % is 1.6
 * times the measured one. Worked value: Mathis with c = 1.31 at 24 ms and 2 %: 4.47 Mbit/s become
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
