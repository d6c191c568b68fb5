package io.cascade.contract;

import io.cascade.api.orchestrator.Candidate;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A way's rate as a multiple of the direct path's.
 *
 * @param low lower bound, or null without one
 * @param likely null if only bounds of one of the two rates are known
 * @param high upper bound, or null without one
 */
record SpeedRatio(@Nullable Double low, @Nullable Double likely, @Nullable Double high) {

  private record Range(@Nullable Double low, @Nullable Double likely, @Nullable Double high) {

    static Range time(Candidate way) {
      return new Range(way.secondsLow(), way.seconds(), way.secondsHigh());
    }

    static Range rate(Candidate way) {
      return new Range(way.bitsPerSecondLow(), way.bitsPerSecond(), way.bitsPerSecondHigh());
    }
  }

  /** Compares by time if both have one, otherwise by rate; empty if they cannot be compared. */
  static Optional<SpeedRatio> of(@Nullable Candidate direct, Candidate cascade) {
    return direct == null
        ? Optional.empty()
        : of(Range.time(direct), Range.time(cascade))
            .or(() -> of(Range.rate(cascade), Range.rate(direct)));
  }

  /** The likely ratio; empty if only bounds of one of the rates are known. */
  static Optional<Double> likely(Candidate other, Candidate cascade) {
    return Optional.ofNullable(quotient(other.seconds(), cascade.seconds()))
        .or(() -> Optional.ofNullable(quotient(cascade.bitsPerSecond(), other.bitsPerSecond())));
  }

  private static Optional<SpeedRatio> of(Range above, Range below) {
    if (above.likely == null || below.likely == null) {
      return ofBounds(quotient(above.low, below.high), quotient(above.high, below.low));
    }
    Double likely = quotient(above.likely, below.likely);
    if (likely == null) {
      return Optional.empty();
    }
    Double down = inQuadrature(above.low, above.likely, below.likely, below.high);
    Double up = inQuadrature(above.likely, above.high, below.low, below.likely);
    return Optional.of(
        new SpeedRatio(
            down == null ? null : (Double) (likely / down),
            likely,
            up == null ? null : (Double) (likely * up)));
  }

  /** The ratio of bounds; a lower bound below 1 alone says nothing. */
  private static Optional<SpeedRatio> ofBounds(@Nullable Double low, @Nullable Double high) {
    boolean hardly = low != null && high != null && TellingBounds.areFarApart(low, high);
    return hardly || (high == null && (low == null || low < 1))
        ? Optional.empty()
        : Optional.of(new SpeedRatio(low, null, high));
  }

  private static @Nullable Double quotient(@Nullable Double above, @Nullable Double below) {
    return above == null || below == null || above <= 0 || below <= 0
        ? null
        : (Double) (above / below);
  }

  /**
   * The factor by which the quotient of two independent estimates may be wrong, 1 or more; null if
   * one of the bounds is unknown. Their errors add in quadrature on a logarithmic scale, as those
   * of two normal distributions do.
   */
  private static @Nullable Double inQuadrature(
      @Nullable Double low,
      @Nullable Double high,
      @Nullable Double otherLow,
      @Nullable Double otherHigh) {
    Double one = quotient(high, low);
    Double other = quotient(otherHigh, otherLow);
    return one == null || other == null
        ? null
        : (Double) Math.exp(Math.hypot(Math.log(one), Math.log(other)));
  }

  String words() {
    String asFast = " times as fast as direct";
    if (low != null && high == null) {
      return "at least " + times(low) + asFast;
    }
    if (low == null && high != null) {
      return "at most " + times(high) + asFast;
    }
    if (likely == null) {
      return low == null || high == null ? "" : times(low) + " to " + times(high) + asFast;
    }
    String about = "about " + times(likely) + asFast;
    if (low != null && high != null && TellingBounds.areFarApart(low, high)) {
      return about + ", " + TellingBounds.HARDLY_KNOWN;
    }
    return low == null || high == null
        ? about + " as far as was seen"
        : about + " (likely " + times(low) + " to " + times(high) + ")";
  }

  /** At most two significant digits, without trailing zeros. */
  static String times(double factor) {
    if (factor >= 9.95) {
      return factor > 1_000 ? "more than 1000" : String.valueOf(Math.round(factor));
    }
    String text = String.format(Locale.ROOT, factor < 0.995 ? "%.2f" : "%.1f", factor);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
