package io.cascade.model.tcp;

import io.cascade.model.units.Require;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Reno's throughput with timeouts and a limited window.
 *
 * <p>Padhye, Firoiu, Towsley and Kurose, "Modeling TCP throughput: a simple model and its empirical
 * validation", ACM SIGCOMM 1998, and "Modeling TCP Reno performance", IEEE/ACM Transactions on
 * Networking 8(2), 2000. With b packets per acknowledgement, T₀ the first retransmission timeout
 * and W<sub>m</sub> the receiver's window in packets:
 *
 * <pre>
 * k    = (2 + b)/(3b)
 * W    = k + √( 8(1−p)/(3bp) + k² )                                    window at a loss, packets
 * Q(w) = 1 if w ≤ 3, else min(1, (1−a)(1 + a(1−(1−p)^(w−3))) / (1−(1−p)^w)),  a = (1−p)³
 * f    = 1 + p + 2p² + 4p³ + 8p⁴ + 16p⁵ + 32p⁶
 * v    = min(W, Wm)
 * D    = RTT·(b·W/2 + 1)                    + Q(W)·f·T₀/(1−p)          where W &lt; Wm
 *        RTT·(b·Wm/8 + (1−p)/(p·Wm) + 2)    + Q(Wm)·f·T₀/(1−p)         elsewhere
 * send      = ( (1−p)/p + v   + Q(v)/(1−p) ) / D                       packets/s
 * delivered = ( (1−p)/p + v/2 + Q(v) )       / D                       packets/s
 * </pre>
 *
 * <p>The send rate is from sections 2.1 to 2.3 of the first paper, of which 2.3 includes the
 * window; the delivered rate is from the second paper's section on throughput. <b>The delivered
 * rate is the goodput</b> and the result of {@link #bitsPerSecond}; the send rate includes lost
 * packets and retransmissions.
 *
 * <p>At W = W<sub>m</sub> the two branches agree for b = 2. For b = 1 the second one's D is RTT/4
 * longer, since the paper adds a whole round in which the loss is detected, while the first branch
 * has (2 + b)/4 of one: the rate then increases in a step of at most 1/(2W + 4) when growing loss
 * ends the limit by the window. Elsewhere it never increases with loss.
 *
 * <p>Range: losses independent of other traffic, each of which also loses the rest of its round; no
 * selective acknowledgements. The result is conservative for today's senders, most of all above a
 * few per cent of loss, where it is still plausible up to p = 1, which delivers nothing. Without
 * loss the rate is W<sub>m</sub>/RTT, infinite if no window is known.
 *
 * <p>Worked value: b = 2, T₀ = 2 s, W<sub>m</sub> = 12, RTT = 0.2 s, p = 2 %: 20.9 packets/s are
 * sent, 19.3 arrive; the {@linkplain #approximatePacketsPerSecond short form} says 21.0.
 *
 * @param packetsPerAck b, packets that one acknowledgement covers: 1, or 2 with delayed
 *     acknowledgements; Linux counts bytes and behaves as 1
 * @param retransmissionTimeoutSeconds T₀, greater than zero; empty for {@link #linuxTimeoutSeconds
 *     Linux's} on a path whose round-trip time does not vary
 * @param windowPackets W<sub>m</sub>, at least 1; infinite if the receiver never limits
 */
public record PftkThroughput(
    int packetsPerAck, OptionalDouble retransmissionTimeoutSeconds, double windowPackets)
    implements ThroughputModel {

  private static final double LINUX_LEAST_VARIATION_SECONDS = 0.2;

  /** The parameters of Linux: bytes counted, its own timeout, a receiver that never limits. */
  public static final PftkThroughput LINUX =
      new PftkThroughput(1, OptionalDouble.empty(), Double.POSITIVE_INFINITY);

  /** Checks every parameter. */
  public PftkThroughput {
    if (packetsPerAck != 1 && packetsPerAck != 2) {
      throw Require.outside("packetsPerAck", packetsPerAck, "1 or 2");
    }
    retransmissionTimeoutSeconds.ifPresent(
        value -> Require.positive("retransmissionTimeoutSeconds", value));
    if (!(windowPackets >= 1)) {
      throw Require.outside("windowPackets", windowPackets, ">= 1");
    }
  }

  /** The same sender with another b. */
  public PftkThroughput withPacketsPerAck(int packets) {
    return new PftkThroughput(packets, retransmissionTimeoutSeconds, windowPackets);
  }

  /** The same sender with another timeout. */
  public PftkThroughput withRetransmissionTimeout(double seconds) {
    return new PftkThroughput(packetsPerAck, OptionalDouble.of(seconds), windowPackets);
  }

  /** The same sender under a receiver that grants no more than {@code packets}. */
  public PftkThroughput withWindow(double packets) {
    return new PftkThroughput(packetsPerAck, retransmissionTimeoutSeconds, packets);
  }

  /**
   * Linux's first retransmission timeout: the round-trip time and, on top of it, four times its
   * mean deviation but never less than 200 ms.
   *
   * <pre>
   * T₀ = RTT + max(0.2, 4·deviation)        s
   * </pre>
   *
   * <p>RFC 6298, equation 2.3, with Linux's minimum for the deviation's term, while the RFC has a
   * minimum of one second for the sum (2.4). Worked values: 264 ms at a steady 64 ms; 464 ms if it
   * deviates by 100 ms.
   */
  public static double linuxTimeoutSeconds(double rttSeconds, double rttDeviationSeconds) {
    Require.positive("rttSeconds", rttSeconds);
    Require.notNegative("rttDeviationSeconds", rttDeviationSeconds);
    return rttSeconds + Math.max(LINUX_LEAST_VARIATION_SECONDS, 4 * rttDeviationSeconds);
  }

  /** T₀ on a path of this round-trip time. */
  public double timeoutSeconds(double rttSeconds) {
    return retransmissionTimeoutSeconds.orElseGet(() -> linuxTimeoutSeconds(rttSeconds, 0));
  }

  /** Packets that leave the sender per second, including lost ones and retransmissions. */
  public double sendPacketsPerSecond(double rttSeconds, double lossProbability) {
    return packetsPerSecond(rttSeconds, lossProbability, true);
  }

  /** Packets that arrive per second, each counted once. */
  public double deliveredPacketsPerSecond(double rttSeconds, double lossProbability) {
    return packetsPerSecond(rttSeconds, lossProbability, false);
  }

  /**
   * The paper's short form of the send rate, its approximate model:
   *
   * <pre>
   * min( Wm/RTT, 1/( RTT·√(2bp/3) + T₀·min(1, 3·√(3bp/8))·p·(1 + 32p²) ) )        packets/s
   * </pre>
   *
   * <p>Inaccurate if the window at a loss is near W<sub>m</sub>, since it has no sawtooth below
   * that limit.
   */
  public double approximatePacketsPerSecond(double rttSeconds, double lossProbability) {
    check(rttSeconds, lossProbability);
    double p = lossProbability;
    double lossLimited =
        1
            / (rttSeconds * Math.sqrt(2 * packetsPerAck * p / 3)
                + timeoutSeconds(rttSeconds)
                    * Math.min(1, 3 * Math.sqrt(3 * packetsPerAck * p / 8))
                    * p
                    * (1 + 32 * p * p));
    return Math.min(windowPackets / rttSeconds, lossLimited);
  }

  /** Whether the receiver's window limits the congestion window between losses. */
  public boolean isWindowLimited(double lossProbability) {
    return unlimitedWindow(Require.probability("lossProbability", lossProbability))
        >= windowPackets;
  }

  /** The delivered rate in bits of payload per second. */
  @Override
  public double bitsPerSecond(PathConditions path) {
    return 8
        * path.mssBytes()
        * deliveredPacketsPerSecond(path.rttSeconds(), path.lossProbability());
  }

  @Override
  public ThroughputModel underWindow(double packets) {
    return withWindow(Math.max(1, Math.min(windowPackets, packets)));
  }

  @Override
  public OptionalDouble windowKeptAtLoss() {
    return OptionalDouble.of(0.5);
  }

  @Override
  public String basis() {
    return retransmissionTimeoutSeconds.isPresent()
        ? String.format(
            Locale.ROOT,
            "pftk, b=%d, rto %.0f ms",
            packetsPerAck,
            1000 * retransmissionTimeoutSeconds.getAsDouble())
        : String.format(Locale.ROOT, "pftk, b=%d", packetsPerAck);
  }

  @Override
  public double validUpToLoss() {
    return 0.1;
  }

  /**
   * Q(w): the probability that a loss in a window of w packets is detected by a timeout instead of
   * three duplicate acknowledgements.
   */
  static double timeoutProbability(double lossProbability, double windowPackets) {
    if (windowPackets <= 3 || lossProbability == 1) {
      return 1;
    }
    if (lossProbability == 0) {
      return 3 / windowPackets;
    }
    double lnKept = Math.log1p(-lossProbability);
    double noneOfThreeLost = Math.exp(3 * lnKept);
    double lostAmongFirstThree = -Math.expm1(3 * lnKept);
    double lostAmongRest = -Math.expm1((windowPackets - 3) * lnKept);
    double lostInWindow = -Math.expm1(windowPackets * lnKept);
    return Math.min(1, lostAmongFirstThree * (1 + noneOfThreeLost * lostAmongRest) / lostInWindow);
  }

  /** f·T₀/(1−p): mean duration of a series of timeouts, doubling six times. */
  static double timeoutsSeconds(double lossProbability, double timeoutSeconds) {
    double p = lossProbability;
    double backedOff = 1 + p * (1 + p * (2 + p * (4 + p * (8 + p * (16 + p * 32)))));
    return backedOff * timeoutSeconds / (1 - p);
  }

  private double packetsPerSecond(double rttSeconds, double lossProbability, boolean sent) {
    check(rttSeconds, lossProbability);
    if (lossProbability == 0) {
      return windowPackets / rttSeconds;
    }
    if (lossProbability == 1) {
      return 0;
    }
    double p = lossProbability;
    double unlimited = unlimitedWindow(p);
    boolean free = unlimited < windowPackets;
    double window = free ? unlimited : windowPackets;
    double beforeLoss = (1 - p) / p;
    double rounds =
        free
            ? packetsPerAck * window / 2 + 1
            : packetsPerAck * window / 8 + beforeLoss / window + 2;
    double byTimeout = timeoutProbability(p, window);
    double seconds =
        rttSeconds * rounds + byTimeout * timeoutsSeconds(p, timeoutSeconds(rttSeconds));
    double packets =
        sent ? beforeLoss + window + byTimeout / (1 - p) : beforeLoss + window / 2 + byTimeout;
    return packets / seconds;
  }

  private double unlimitedWindow(double lossProbability) {
    double offset = (2.0 + packetsPerAck) / (3.0 * packetsPerAck);
    double random = 8 * (1 - lossProbability) / (3 * packetsPerAck * lossProbability);
    return offset + Math.sqrt(random + offset * offset);
  }

  private static void check(double rttSeconds, double lossProbability) {
    Require.positive("rttSeconds", rttSeconds);
    Require.probability("lossProbability", lossProbability);
  }
}
