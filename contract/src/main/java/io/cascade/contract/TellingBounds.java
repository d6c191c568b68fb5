package io.cascade.contract;

/** Bounds that are worth their numbers, and the words for those that are not. */
public final class TellingBounds {
  /** What no connection carries: a bound beyond it bounds nothing. */
  public static final double MOST_BITS_PER_SECOND = 1e12;

  /** Words for a ratio whose bounds are {@linkplain #areFarApart far apart}. */
  public static final String HARDLY_KNOWN = "known to a factor of 10 at best";

  private static final double FAR_APART = 100;

  private TellingBounds() {}

  /** Whether the bounds of a ratio are so far apart that they say next to nothing. */
  public static boolean areFarApart(double low, double high) {
    return high > FAR_APART * low;
  }
}
