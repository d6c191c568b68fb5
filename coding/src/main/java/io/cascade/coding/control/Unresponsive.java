package io.cascade.coding.control;

/** A rate controller that ignores all events. */
interface Unresponsive extends RateController {
  @Override
  default void onSent(long nowNanos, long ordinal) {}

  @Override
  default void onArrived(long ordinal, long sentNanos, long delayNanos) {}

  @Override
  default void onLost(long ordinal) {}

  @Override
  default void onAbandoned(long ordinal) {}

  @Override
  default void onFeedback(long nowNanos, long roundTripNanos, int inFlight) {}

  @Override
  default void onTimeout(int inARow) {}
}
