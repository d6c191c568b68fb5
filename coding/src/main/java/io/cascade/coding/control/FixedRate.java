package io.cascade.coding.control;

/**
 * A fixed rate, whatever is lost: for measurements and tests. Not for a network with other users.
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
