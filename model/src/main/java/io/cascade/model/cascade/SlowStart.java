package io.cascade.model.cascade;

import io.cascade.model.units.Require;

/**
 * One hop's delivery of a finite transfer whose source never starves it: rounds of doubling
 * windows, then its {@link Pace}.
 *
 * <pre>
 * n = ⌈S/MSS⌉, w₁ = initial window in packets, s = the pace that link and receiver allow
 * j = rounds until w₁·2ʲ·s ≥ RTT, or a round begins after the first loss, or the data ends
 * b = w₁(2ʲ − 1), the first packet after them; a = w₁(2ʲ⁻¹ − 1), the first of the last of them
 * T = max( j·RTT, (j − 1)·RTT + pace from a to b ) + pace from b to n − 1 + f
 * </pre>
 *
 * <p>f is the last packet's {@linkplain Hop#packetDelaySeconds() way}. Windows double per round as
 * Cardwell, Savage and Anderson have it ("Modeling TCP latency", INFOCOM 2000, section II-B, with
 * every byte acknowledged), and slow start ends with the first loss as there, which is taken to
 * come when it is due.
 *
 * <p>Worked value: 1000 packets without loss, X = 8·1448·1000 bit/s (s = 1 ms), RTT = 100 ms, w₁ =
 * 10: j = 4, T = 0.4 + 849·0.001 + 0.05 = 1.299 s.
 */
public final class SlowStart {

  private SlowStart() {}

  /** j, the rounds before the pace rules. */
  static int rounds(long packets, Pace pace, double rttSeconds, int initialWindow) {
    Require.atLeast("packets", packets, 1);
    int rounds = 0;
    double window = initialWindow;
    double before = 0;
    while (window * pace.fullSpacingSeconds() < rttSeconds
        && before + window < packets
        && before < pace.firstLoss()) {
      rounds++;
      before += window;
      window *= 2;
    }
    return rounds;
  }

  /** T, from the first packet's leaving to the last one's arrival. */
  static double deliverySeconds(Hop hop, long bytes, int initialWindow) {
    return secondsBeyondWay(hop, bytes, initialWindow) + hop.packetDelaySeconds();
  }

  /** T − f: what a hop needs beyond the last packet's way; infinite if nothing is delivered. */
  public static double secondsBeyondWay(Hop hop, long bytes, int initialWindow) {
    long packets = Math.ceilDiv(Require.atLeast("bytes", bytes, 1), hop.mssBytes());
    return secondsBeyondWay(Pace.of(hop, initialWindow), hop.rttSeconds(), packets, initialWindow);
  }

  /** The same from numbers, for searches that look at millions of hops. */
  public static double secondsBeyondWay(
      Pace pace, double rttSeconds, long packets, int initialWindow) {
    if (Double.isInfinite(pace.steadySpacingSeconds())) {
      return Double.POSITIVE_INFINITY;
    }
    int rounds = rounds(packets, pace, rttSeconds, initialWindow);
    long after = (long) initialWindow * ((1L << rounds) - 1);
    double begun = rounds * rttSeconds;
    if (rounds > 0) {
      // The first loss may lengthen the last round to more than a round trip.
      long before = (long) initialWindow * ((1L << (rounds - 1)) - 1);
      begun = Math.max(begun, begun - rttSeconds + pace.secondsBetween(before, after));
    }
    return begun + pace.secondsBetween(after, packets - 1);
  }
}
