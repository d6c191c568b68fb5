package io.cascade.model.estimate;

import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.units.Require;
import java.util.OptionalDouble;

/**
 * Parameters of formulas of senders beyond the path.
 *
 * @param constant c of Mathis' formula; by default that of random loss, 1.31, or 0.93 where every
 *     other packet is acknowledged
 * @param packetsPerAck b, 1 or 2; Linux counts bytes and behaves as 1
 * @param rtoSeconds T0 of PFTK, the first retransmission timeout; by default Linux's, 0.2 s more
 *     than the round-trip time
 */
public record SenderParameters(
    OptionalDouble constant, int packetsPerAck, OptionalDouble rtoSeconds) {

  /** Random loss, every packet acknowledged. */
  public static final SenderParameters DEFAULTS =
      new SenderParameters(OptionalDouble.empty(), 1, OptionalDouble.empty());

  /** Checks every value. */
  public SenderParameters {
    constant.ifPresent(value -> Require.positive("constant", value));
    if (packetsPerAck != 1 && packetsPerAck != 2) {
      throw Require.outside("packetsPerAck", packetsPerAck, "1 or 2");
    }
    rtoSeconds.ifPresent(value -> Require.positive("rtoSeconds", value));
  }

  double mathisConstant() {
    return constant.orElse(
        packetsPerAck == 1
            ? MathisThroughput.RANDOM_LOSS.constant()
            : MathisThroughput.RANDOM_LOSS_DELAYED_ACKS.constant());
  }
}
