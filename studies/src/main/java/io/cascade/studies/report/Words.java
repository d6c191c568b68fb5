package io.cascade.studies.report;

import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Claim;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Formats numbers and cells for a report. */
public final class Words {
  private Words() {}

  /** Three significant digits. */
  static String number(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    if (Double.isInfinite(value)) {
      return "∞";
    }
    double size = Math.abs(value);
    String format = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  /** A number with fixed decimals; a dash for NaN. */
  public static String fixed(double value, int decimals) {
    return Double.isNaN(value) ? "–" : String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** A number with fixed decimals; empty without a value. */
  public static String fixed(OptionalDouble value, int decimals) {
    return value.isEmpty() ? "" : fixed(value.getAsDouble(), decimals);
  }

  /** The same text with a capital letter first. */
  public static String capital(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  static String interval(Sample.Ratio ratio) {
    return Double.isNaN(ratio.low())
        ? number(ratio.value()) + " (one run)"
        : number(ratio.value()) + " (" + number(ratio.low()) + "…" + number(ratio.high()) + ")";
  }

  static String sample(Optional<Sample> sample) {
    return sample
        .map(values ->
            number(values.mean())
                + (Double.isNaN(values.halfWidth()) ? "" : " ± " + number(values.halfWidth())))
        .orElse("–");
  }

  static String unit(Claim.Figure figure) {
    return switch (figure) {
      case GOODPUT -> "Mbit/s";
      case UTILISATION -> "%";
      case SECONDS, TOTAL -> "s";
      case SETUP -> "ms";
      case HELD -> "MiB";
    };
  }

  static String axis(Claim.Figure figure) {
    return switch (figure) {
      case GOODPUT -> "goodput [Mbit/s]";
      case UTILISATION -> "utilisation [%]";
      case SECONDS -> "time of the transfer [s]";
      case TOTAL -> "set-up and transfer [s]";
      case SETUP -> "set-up [ms]";
      case HELD -> "held by a relay, at most [MiB]";
    };
  }

  static String inputs(Cell cell) {
    return cell.inputs().entrySet().stream()
        .map(input -> input.getKey() + " " + input.getValue())
        .collect(Collectors.joining(", "));
  }
}
