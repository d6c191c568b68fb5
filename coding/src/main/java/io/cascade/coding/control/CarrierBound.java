package io.cascade.coding.control;

/**
 * Leaves congestion control to the TCP connection that carries the datagrams, which accepts no more
 * than it has room for.
 */
public final class CarrierBound implements Unresponsive {
  private static final double MOST_IN_FLIGHT = 1 << 14;
  private static final double PACKETS_PER_SECOND = 1e9;

  @Override
  public double windowPackets() {
    return MOST_IN_FLIGHT;
  }

  @Override
  public double packetsPerSecond() {
    return PACKETS_PER_SECOND;
  }

  @Override
  public String mode() {
    return "carrier";
  }
}
