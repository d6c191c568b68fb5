package io.cascade.model.tcp;

import java.util.OptionalDouble;

/**
 * The throughput of a coded hop: UDP, network coding and a rate controller that random loss does
 * not slow down (docs/how/coding.md).
 *
 * <pre>
 * X   = min( C·s·(1−r)·η_c·η_z, 8·w/(9/8·RTT), 8·P·MSS ), H = C·RTT/(8·MSS) packets a round trip
 * s   = 1427/1448                                    payload of a coded packet over TCP's
 * η_c = 0.993 − 0.80·r/√H                            the rate controller
 * η_z = 1 − 0.14·r − 0.10·√( r·(1−r)/H )             the sliding window, z = 0
 * w   = 1792·s·MSS bytes                             a session's window
 * P   = 86000 packets/s                              packet rate of one event loop at each end
 * </pre>
 *
 * <p>C is the payload capacity, r the loss. Both efficiencies were fitted to simulated runs of
 * single losses, at 10 and 100 Mbit/s, 20 and 100 ms, 0 to 30 %; docs/experiments/coded-lab.md
 * compares the formula with measurements in a lab. Beyond a loss of {@value #FULL_UNTIL_LOSS} the
 * controller limits its rate, which is assumed to fall linearly to 0 at {@value
 * #NOTHING_FROM_LOSS}. If C is unknown the session's window and P remain as limits. P is 1 Gbit/s
 * at packets of 1500 bytes, which the lab's slowest run over loopback exceeded.
 *
 * <p>Other traffic on the link is not included: C is the capacity that the hop gets.
 *
 * <p>Worked value: 100 Mbit/s of payload, 100 ms, 5 %: H = 863, 91.9 Mbit/s.
 */
public record CodedThroughput() implements ThroughputModel {

  private static final double PAYLOAD_SHARE = 1_427.0 / 1_448;
  private static final double WINDOW_SYMBOLS = 1_792;
  private static final double MOST_PACKETS_PER_SECOND = 86_000;
  private static final double ROUND_TRIPS_UNDER_LOAD = 9.0 / 8;
  static final double FULL_UNTIL_LOSS = 0.45;
  static final double NOTHING_FROM_LOSS = 0.60;

  @Override
  public double bitsPerSecond(PathConditions path) {
    double loss = path.lossProbability();
    double capacity = path.payloadCapacityBitsPerSecond();
    double byWindow =
        Byte.SIZE
            * PAYLOAD_SHARE
            * path.mssBytes()
            * WINDOW_SYMBOLS
            / (ROUND_TRIPS_UNDER_LOAD * path.rttSeconds());
    double byLoop = Byte.SIZE * MOST_PACKETS_PER_SECOND * path.mssBytes();
    double bySession = Math.min(byWindow, byLoop);
    double packets = capacity * path.rttSeconds() / (Byte.SIZE * path.mssBytes());
    double controller = 0.993 - 0.80 * loss / Math.sqrt(packets);
    double code = 1 - 0.14 * loss - 0.10 * Math.sqrt(loss * (1 - loss) / packets);
    double share = PAYLOAD_SHARE * plateauShare(loss) * (1 - loss);
    double efficiency = share * Math.max(0, controller) * Math.max(0, code);
    return efficiency == 0 ? 0 : Math.min(capacity * efficiency, bySession * plateauShare(loss));
  }

  private static double plateauShare(double loss) {
    return Math.clamp((NOTHING_FROM_LOSS - loss) / (NOTHING_FROM_LOSS - FULL_UNTIL_LOSS), 0.0, 1.0);
  }

  @Override
  public OptionalDouble windowKeptAtLoss() {
    return OptionalDouble.empty();
  }

  @Override
  public String basis() {
    return "coded";
  }

  @Override
  public double validUpToLoss() {
    return FULL_UNTIL_LOSS;
  }
}
