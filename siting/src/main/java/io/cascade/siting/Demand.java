package io.cascade.siting;

import io.cascade.model.units.Require;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Traffic that is to be carried from one node to another.
 *
 * @param bytes length of the transfer; empty for an unlimited stream, judged by its rate
 * @param weight weight relative to other demands: how often it occurs, or its value
 * @param requiredBitsPerSecond the rate below which it does not count as served; empty if any rate
 *     does
 */
public record Demand(
    String from,
    String to,
    OptionalLong bytes,
    double weight,
    OptionalDouble requiredBitsPerSecond) {

  /** Checks the values. */
  public Demand {
    if (from.equals(to)) {
      throw Require.outside("demand", from + "→" + to, "two different nodes");
    }
    bytes.ifPresent(value -> Require.atLeast("bytes of " + from + "→" + to, value, 1));
    Require.positive("weight of " + from + "→" + to, weight);
    requiredBitsPerSecond.ifPresent(
        value -> Require.positive("required rate of " + from + "→" + to, value));
  }

  /** The demand's two ends: {@code lisbon→tokyo}. */
  public String label() {
    return from + "→" + to;
  }

  /**
   * The rate that corresponds to a cost, seconds of the transfer or seconds per bit of a stream.
   */
  double bitsPerSecond(double cost) {
    return bytes.isPresent() ? 8.0 * bytes.getAsLong() / cost : 1 / cost;
  }

  /** Whether a way of this cost serves it. */
  boolean servedAt(double cost) {
    return Double.isFinite(cost)
        && (requiredBitsPerSecond.isEmpty()
            || bitsPerSecond(cost) >= requiredBitsPerSecond.getAsDouble());
  }
}
