package io.cascade.coding.control;

/**
 * A set rate, whatever is lost: for measurements and tests. Never for a network that somebody else
 * uses.
 *
 * @param packetsPerSecond above 0
 * @param windowPackets most in flight
 */
public record FixedRate(double packetsPerSecond, double windowPackets) implements RateController {
  @Override
  public void onSent(long nowNanos, long ordinal) {}

  @Override
  public void onArrived(long ordinal, long sentNanos, long delayNanos) {}

  @Override
  public void onLost(long ordinal) {}

  @Override
  public void onFeedback(long nowNanos, long roundTripNanos, int inFlight) {}

  @Override
  public void onTimeout(int inARow) {}

  @Override
  public String mode() {
    return "fixed";
  }
}
