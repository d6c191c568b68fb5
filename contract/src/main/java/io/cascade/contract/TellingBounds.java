package io.cascade.contract;

/** Decides whether bounds are worth showing as numbers, and gives words for those that are not. */
public final class TellingBounds {
  /** More than any connection carries; a bound above it is no information. */
  public static final double MOST_BITS_PER_SECOND = 1e12;

  /** Words for a ratio whose bounds are {@linkplain #areFarApart far apart}. */
  public static final String HARDLY_KNOWN = "known to a factor of 10 at best";

  private static final double FAR_APART = 100;

  private TellingBounds() {}

  /** Whether the bounds of a ratio are so far apart that they are nearly no information. */
  public static boolean areFarApart(double low, double high) {
    return high > FAR_APART * low;
  }
}
