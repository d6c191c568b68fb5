package io.cascade.coding.control;

/**
 * A set rate, whatever is lost: for measurements and tests. Never for a network that somebody else
 * uses.
 *
 * @param packetsPerSecond above 0
 * @param windowPackets most in flight
 */
public record FixedRate(double packetsPerSecond, double windowPackets) implements Unresponsive {
  @Override
  public String mode() {
    return "fixed";
  }
}
