package io.cascade.model.tcp;

import io.cascade.model.units.Require;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Reno's throughput by the inverse square root of loss.
 *
 * <pre>
 * X = 8·c·MSS / (RTT·√p)        bit/s, MSS in bytes, RTT in seconds, p a fraction
 * </pre>
 *
 * <p>Mathis, Semke, Mahdavi and Ott, "The macroscopic behavior of the TCP congestion avoidance
 * algorithm", ACM SIGCOMM CCR 27(3), 1997, equation 3; the constants are its Table 1. b is the
 * number of packets that one acknowledgement covers: 1, or 2 with delayed acknowledgements. Linux
 * counts acknowledged bytes and so behaves as b = 1 either way.
 *
 * <p>Range: p up to 1–2 %, windows of four packets and more, no timeouts, no limit by window or
 * capacity. Without loss the formula has no limit and gives infinity.
 *
 * <p>Worked value: c = 1.2247, MSS = 1448 B, RTT = 64 ms, p = 0.1 %: 7.01 Mbit/s, 22 % of 32
 * Mbit/s.
 *
 * @param constant c, greater than zero: one of the table's, or one fitted to measurements
 */
public record MathisThroughput(double constant) implements ThroughputModel {

  /**
   * Random (Bernoulli) loss, every packet acknowledged: Linux with the independent drops of an
   * emulator.
   */
  public static final MathisThroughput RANDOM_LOSS = new MathisThroughput(1.31);

  /** Random loss, every other packet acknowledged, window growing per acknowledgement. */
  public static final MathisThroughput RANDOM_LOSS_DELAYED_ACKS = new MathisThroughput(0.93);

  /** Checks the constant. */
  public MathisThroughput {
    Require.positive("constant", constant);
  }

  /**
   * Loss of every (1/p)-th packet: c = √(3/(2b)), 1.2247 for b = 1 and 0.8660 for b = 2.
   *
   * @param packetsPerAck b, 1 or 2
   */
  public static MathisThroughput periodicLoss(int packetsPerAck) {
    if (packetsPerAck != 1 && packetsPerAck != 2) {
      throw Require.outside("packetsPerAck", packetsPerAck, "1 or 2");
    }
    return new MathisThroughput(Math.sqrt(1.5 / packetsPerAck));
  }

  @Override
  public double bitsPerSecond(PathConditions path) {
    return 8 * constant * path.mssBytes() / (path.rttSeconds() * Math.sqrt(path.lossProbability()));
  }

  @Override
  public OptionalDouble windowKeptAtLoss() {
    return OptionalDouble.of(0.5);
  }

  @Override
  public String basis() {
    return String.format(Locale.ROOT, "mathis, c=%.2f", constant);
  }

  @Override
  public double validUpToLoss() {
    return 0.02;
  }
}
