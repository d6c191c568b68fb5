package io.cascade.studies.measured;

import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/**
 * Share of a number that had a property, with Wilson's interval for the probability behind it
 * (Wilson, Journal of the American Statistical Association 22, 1927) at 95 %.
 *
 * <p>Worked value: 9 of 10: 0.596 to 0.982.
 *
 * @param count 0 to {@code of}
 * @param of at least 0
 */
record Proportion(long count, long of) {
  private static final double Z = 1.959964;

  Proportion {
    if (count < 0 || count > of) {
      throw new IllegalArgumentException(count + " of " + of + " (expected: 0 to " + of + ")");
    }
  }

  static <T> Proportion of(List<T> some, Predicate<T> has) {
    return new Proportion(some.stream().filter(has).count(), some.size());
  }

  /** NaN if {@code of} is 0. */
  double share() {
    return (double) count / of;
  }

  double low() {
    return Math.max(0, middle() - reach());
  }

  double high() {
    return of == 0 ? 1 : Math.min(1, middle() + reach());
  }

  private double middle() {
    return of == 0 ? 0 : (share() + Z * Z / (2 * of)) / (1 + Z * Z / of);
  }

  private double reach() {
    return of == 0
        ? 0
        : Z / (1 + Z * Z / of) * Math.sqrt(share() * (1 - share()) / of + Z * Z / (4.0 * of * of));
  }

  /** The share in words, such as {@code 9 of 10, 90 % (60 to 98 %)}. */
  String words() {
    return of == 0
        ? "none measured"
        : String.format(
            Locale.ROOT,
            "%d of %d, %.0f %% (%.0f to %.0f %%)",
            count,
            of,
            100 * share(),
            100 * low(),
            100 * high());
  }
}
