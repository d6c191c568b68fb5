package io.cascade.model.tcp;

import io.cascade.model.units.Require;

/**
 * How long one connection takes over a finite transfer, with loss in slow start: slow start until
 * the first loss, its repair, and the steady state for the rest.
 *
 * <p>Cardwell, Savage and Anderson, "Modeling TCP latency", IEEE INFOCOM 2000, section II. With n
 * packets to move, w₁ the initial window, W<sub>m</sub> the largest window that receiver and
 * capacity allow, γ = 1 + 1/b the growth per round, q = 1 − p and Q, f, T₀ of {@link
 * PftkThroughput}:
 *
 * <pre>
 * d    = (1 − qⁿ)/p                                packets sent until the first loss or the end
 * w    = d(γ−1)/γ + w₁/γ                           window then
 * T₁   = RTT·log_γ( d(γ−1)/w₁ + 1 )                where w ≤ Wm
 *        RTT·( log_γ(Wm/w₁) + 1 + (d − (γWm − w₁)/(γ−1))/Wm )          elsewhere
 * T₂   = (1 − qⁿ)·( Q(w)·f·T₀/(1−p) + (1 − Q(w))·RTT )
 * T₃   = (n − d)/X                                 X of the steady state, packets/s
 * T    = T₁ + T₂ + T₃
 * </pre>
 *
 * <p><b>d is derived here and differs from print.</b> The packets that precede the first loss or
 * the end are Σ k·p·qᵏ + n·qⁿ = q(1 − qⁿ)/p; the paper adds one for the lost packet whether or not
 * there was one, which at small p makes d = n + 1, more than there is to send. Adding it only where
 * a loss happened, 1 − qⁿ, gives the form above, which never exceeds n. Both differ by qⁿ &lt; 1
 * packet.
 *
 * <p>T runs from the first payload to its last acknowledgement, without the {@linkplain
 * #handshakeSeconds handshake}; the last byte has arrived half a round trip earlier. Rounds are
 * counted as if they could be cut: off by less than one round. The wait of a delayed
 * acknowledgement matters to an initial window of one packet only and is left out.
 *
 * <p>Range: Reno and CUBIC, p below about 10 %. What a flow does after its first loss is the steady
 * state at once: the larger window that it comes down from is not credited. BBR's start-up does not
 * end at the first loss, so this says nothing about it. Where a small capacity holds the window to
 * a few packets, a loss is taken to end in a timeout as often as under a receiver that grants no
 * more, although a queue would hold further packets: a longer round trip can then save part of that
 * one timeout.
 *
 * <p>Where it matters: slow start passes the steady window long before the first loss, after 1/p
 * packets on average. A flow of about 1/p packets over a path with capacity to spare takes less
 * than half to three quarters of the time that slow start up to the steady rate would take; from
 * 30/p packets on the difference is below 3 %. A cascade's time ({@code
 * io.cascade.model.cascade.CascadeTime}) stays with the latter, which no route bound can undercut.
 *
 * <p>Worked value: 1000 packets, RTT = 0.1 s, p = 0.1 %, w₁ = 10, b = 1, T₀ = 0.3 s, no caps: d =
 * 632 in 0.601 s, 0.064 s for the repair, 0.986 s for the other 368 at PFTK's rate.
 *
 * @param connection b, T₀ and the receiver's window
 * @param steadyState what follows the first loss; {@code connection} itself in the paper
 * @param initialWindow w₁ in packets, 10 by RFC 6928
 */
public record ShortFlow(PftkThroughput connection, ThroughputModel steadyState, int initialWindow) {

  private static final int RFC_6928_WINDOW = 10;

  /** The parameters of Linux, with Reno's steady state. */
  public static final ShortFlow LINUX = of(PftkThroughput.LINUX);

  /** Checks the initial window. */
  public ShortFlow {
    Require.atLeast("initialWindow", initialWindow, 1);
  }

  /**
   * The paper's parameters: the same model during and after slow start; ten packets to begin with.
   */
  public static ShortFlow of(PftkThroughput connection) {
    return new ShortFlow(connection, connection, RFC_6928_WINDOW);
  }

  /** The same flow with another congestion control after its first loss. */
  public ShortFlow withSteadyState(ThroughputModel model) {
    return new ShortFlow(connection, model, initialWindow);
  }

  /** The same flow with another initial window. */
  public ShortFlow withInitialWindow(int packets) {
    return new ShortFlow(connection, steadyState, packets);
  }

  /**
   * The parts of a transfer's time, in seconds; infinite where nothing gets through.
   *
   * @param slowStartPackets d, the packets expected to be sent in slow start
   * @param slowStartSeconds T₁
   * @param repairSeconds T₂
   * @param steadySeconds T₃
   */
  public record Phases(
      double slowStartPackets,
      double slowStartSeconds,
      double repairSeconds,
      double steadySeconds) {

    /** T, to the last acknowledgement. */
    public double totalSeconds() {
      return slowStartSeconds + repairSeconds + steadySeconds;
    }
  }

  /** The expected time of {@code packets} packets over {@code path}. */
  public Phases transfer(PathConditions path, long packets) {
    Require.atLeast("packets", packets, 1);
    double p = path.lossProbability();
    if (p == 1) {
      return new Phases(
          1, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }
    double rtt = path.rttSeconds();
    double lossSomewhere = -Math.expm1(packets * Math.log1p(-p));
    double inSlowStart = slowStartPackets(packets, p);
    double largest = largestWindow(path);
    double first = Math.min(initialWindow, largest);
    double growth = 1 + 1.0 / connection.packetsPerAck();
    double reached = inSlowStart * (growth - 1) / growth + first / growth;
    double window = Math.min(reached, largest);
    double slowStart =
        reached <= largest
            ? rtt * log(growth, inSlowStart * (growth - 1) / first + 1)
            : rtt
                * (log(growth, largest / first)
                    + 1
                    + (inSlowStart - (growth * largest - first) / (growth - 1)) / largest);
    double byTimeout = PftkThroughput.timeoutProbability(p, window);
    double repair =
        lossSomewhere
            * (byTimeout * PftkThroughput.timeoutsSeconds(p, connection.timeoutSeconds(rtt))
                + (1 - byTimeout) * rtt);
    double rest = packets - inSlowStart;
    return new Phases(
        inSlowStart, slowStart, repair, rest > 0 ? rest / steadyPacketsPerSecond(path) : 0);
  }

  /**
   * d = (1 − (1−p)ⁿ)/p: the packets of {@code packets} expected to be sent until the first is lost,
   * that one included, or until there are no more. Between 1 and {@code packets}.
   *
   * <p>Worked values: 632.3 of 1000 at 0.1 %; 1000 of 1000 without loss.
   */
  public static double slowStartPackets(long packets, double lossProbability) {
    Require.atLeast("packets", packets, 1);
    Require.probability("lossProbability", lossProbability);
    double all = packets;
    return lossProbability == 0
        ? all
        : Math.min(all, -Math.expm1(all * Math.log1p(-lossProbability)) / lossProbability);
  }

  /**
   * The expected time of TCP's handshake, with the first timeout doubling each time.
   *
   * <pre>
   * T = RTT + T₀·( (1−p₁)/(1−2p₁) + (1−p₂)/(1−2p₂) − 2 )        s
   * </pre>
   *
   * <p>The paper's section II-A, equation 4. Range: both losses below one half, beyond which
   * doubling timeouts have no finite mean.
   *
   * <p>Worked value: RTT = 0.1 s, T₀ = 1 s (RFC 6298, section 2.1), 1 % each way: 0.1204 s.
   *
   * @param forwardLoss p₁, of what opens
   * @param backwardLoss p₂, of what answers
   */
  public static double handshakeSeconds(
      double rttSeconds, double firstTimeoutSeconds, double forwardLoss, double backwardLoss) {
    Require.positive("rttSeconds", rttSeconds);
    Require.positive("firstTimeoutSeconds", firstTimeoutSeconds);
    return rttSeconds
        + firstTimeoutSeconds
            * (extraTimeouts("forwardLoss", forwardLoss)
                + extraTimeouts("backwardLoss", backwardLoss));
  }

  private static double extraTimeouts(String name, double loss) {
    if (!(loss >= 0 && loss < 0.5)) {
      throw Require.outside(name, loss, "0 or more and below 0.5");
    }
    return loss / (1 - 2 * loss);
  }

  /** What receiver and capacity hold on the way at once, at least one packet. */
  private double largestWindow(PathConditions path) {
    double filled = path.payloadCapacityBitsPerSecond() * path.rttSeconds() / (8 * path.mssBytes());
    return Math.max(1, Math.min(connection.windowPackets(), filled));
  }

  private double steadyPacketsPerSecond(PathConditions path) {
    double windowBytes = connection.windowPackets() * path.mssBytes();
    return SteadyRate.of(steadyState, path, windowBytes).bitsPerSecond() / (8 * path.mssBytes());
  }

  private static double log(double base, double value) {
    return Math.log(value) / Math.log(base);
  }
}
