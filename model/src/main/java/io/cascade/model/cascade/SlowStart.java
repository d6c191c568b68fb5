package io.cascade.model.cascade;

import io.cascade.model.units.Require;

/**
 * One hop's delivery of a finite transfer whose source never starves it: rounds of doubling
 * windows, then the steady rate.
 *
 * <pre>
 * n = ⌈S/MSS⌉, s = 8·MSS/X, w₁ = initial window in packets
 * j = rounds until w₁·2ʲ·s ≥ RTT or the data ends
 * T = j·RTT + (n − 1 − w₁(2ʲ − 1))·s + f
 * </pre>
 *
 * <p>f is the last packet's {@linkplain Hop#packetDelaySeconds() way}. Within a round packets leave
 * s apart. Loss during slow start is not modelled: where loss is high, slow start ends after few
 * rounds because the steady window is small. Windows double per round as Cardwell, Savage and
 * Anderson have it ("Modeling TCP latency", INFOCOM 2000, section II-B, with every byte
 * acknowledged).
 *
 * <p>Worked value: 1000 packets, X = 8·1448·1000 bit/s (s = 1 ms), RTT = 100 ms, w₁ = 10: j = 4, T
 * = 0.4 + 849·0.001 + 0.05 = 1.299 s.
 */
public final class SlowStart {

  private SlowStart() {}

  /** j, the rounds before the steady rate rules. */
  static int rounds(long packets, double spacingSeconds, double rttSeconds, int initialWindow) {
    Require.atLeast("packets", packets, 1);
    int rounds = 0;
    double window = initialWindow;
    double sent = initialWindow;
    while (window * spacingSeconds < rttSeconds && sent < packets) {
      rounds++;
      window *= 2;
      sent += window;
    }
    return rounds;
  }

  /** T, from the first packet's leaving to the last one's arrival. */
  static double deliverySeconds(Hop hop, long bytes, int initialWindow) {
    return secondsBeyondWay(
            hop.steadyRate().bitsPerSecond(),
            hop.rttSeconds(),
            hop.mssBytes(),
            bytes,
            initialWindow)
        + hop.packetDelaySeconds();
  }

  /**
   * T − f: what a hop needs for {@code bytes} beyond the last packet's way, as numbers for searches
   * that look at millions of hops; infinite at rate 0.
   */
  public static double secondsBeyondWay(
      double bitsPerSecond, double rttSeconds, int mssBytes, long bytes, int initialWindow) {
    if (bitsPerSecond == 0) {
      return Double.POSITIVE_INFINITY;
    }
    long packets = Math.ceilDiv(Require.atLeast("bytes", bytes, 1), mssBytes);
    double spacing = 8 * mssBytes / bitsPerSecond;
    int rounds = rounds(packets, spacing, rttSeconds, initialWindow);
    double sentInRounds = initialWindow * (Math.scalb(1.0, rounds) - 1);
    return rounds * rttSeconds + (packets - 1 - sentInRounds) * spacing;
  }
}
