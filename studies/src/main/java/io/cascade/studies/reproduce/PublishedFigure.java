package io.cascade.studies.reproduce;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * One published figure beside the values of the models.
 *
 * @param place table, figure or section of the source
 * @param says meaning of the figure
 * @param low lower end of the published range
 * @param high upper end; infinite for "more than"
 * @param asPublished value of the source's own model; empty if it has none for this figure
 * @param corrected value of this project's model
 * @param tolerance share by which a value may miss the published range and still agree
 * @param why explanation of a difference, or condition of an agreement; may be empty
 * @param ownNumbers whether the corrected value is computed from the source's own numbers, without
 *     a model
 */
record PublishedFigure(
    String place,
    String says,
    String unit,
    double low,
    double high,
    OptionalDouble asPublished,
    double corrected,
    double tolerance,
    String why,
    boolean ownNumbers) {

  /** Tolerance of a figure that was read off a text. */
  static final double USUAL_TOLERANCE = 0.1;

  /** Starts a claim; {@link Statement} adds the published value. */
  static Statement at(String place, String says) {
    return new Statement(place, says);
  }

  /**
   * Statement of a source and its place.
   *
   * @param place table, figure or section of the source
   * @param says meaning of the figure
   */
  record Statement(String place, String says) {
    /** A claim of one published value. */
    PublishedFigure of(String unit, double published, double corrected) {
      return between(unit, published, published, corrected);
    }

    /** A claim of a published range. */
    PublishedFigure between(String unit, double low, double high, double corrected) {
      return new PublishedFigure(
          place,
          says,
          unit,
          low,
          high,
          OptionalDouble.empty(),
          corrected,
          USUAL_TOLERANCE,
          "",
          false);
    }

    /** A claim of "more than", exactly. */
    PublishedFigure above(String unit, double low, double corrected) {
      return between(unit, Math.nextUp(low), Double.POSITIVE_INFINITY, corrected).within(0);
    }

    /** A claim of "less than", exactly. */
    PublishedFigure below(String unit, double high, double corrected) {
      return between(unit, Double.NEGATIVE_INFINITY, Math.nextDown(high), corrected).within(0);
    }
  }

  /** Adds the value of the source's own model. */
  PublishedFigure ownModel(double value) {
    return with(OptionalDouble.of(value), tolerance, why, ownNumbers);
  }

  /** Changes the tolerance. */
  PublishedFigure within(double share) {
    return with(asPublished, share, why, ownNumbers);
  }

  /** Adds a reason. */
  PublishedFigure because(String reason) {
    return with(asPublished, tolerance, reason, ownNumbers);
  }

  /** States that the corrected value is computed from the source's own numbers, without a model. */
  PublishedFigure ofOwnNumbers() {
    return with(asPublished, tolerance, why, true);
  }

  private PublishedFigure with(
      OptionalDouble ownModel, double share, String reason, boolean isOfOwnNumbers) {
    return new PublishedFigure(
        place, says, unit, low, high, ownModel, corrected, share, reason, isOfOwnNumbers);
  }

  Agreement agreement() {
    if (ownNumbers && agrees(corrected)) {
      return Agreement.OWN_NUMBERS;
    }
    boolean ownAgrees = asPublished.isEmpty() || agrees(asPublished.getAsDouble());
    if (agrees(corrected)) {
      return ownAgrees ? Agreement.REPRODUCED : Agreement.REPRODUCED_ONCE_CORRECTED;
    }
    return ownAgrees ? Agreement.DIFFERS : Agreement.CONTRADICTS_ITS_SOURCE;
  }

  private boolean agrees(double value) {
    return value >= low * (1 - tolerance) && value <= high * (1 + tolerance);
  }

  /** The claim as the row of a table. */
  List<String> row() {
    return List.of(
        place,
        says,
        published(),
        asPublished.isPresent() ? figure(asPublished.getAsDouble()) + suffix() : "–",
        figure(corrected) + suffix(),
        difference(),
        agreement().words() + (why.isEmpty() ? "" : ": " + why));
  }

  private String published() {
    if (Double.isInfinite(high)) {
      return "> " + figure(low) + suffix();
    }
    if (Double.isInfinite(low)) {
      return "< " + figure(high) + suffix();
    }
    return (low == high ? figure(low) : figure(low) + " to " + figure(high)) + suffix();
  }

  private String suffix() {
    return unit.isEmpty() ? "" : " " + unit;
  }

  /** Difference of the corrected value from the nearer end of the published range. */
  private String difference() {
    if (corrected >= low && corrected <= high) {
      return "none";
    }
    double nearest = corrected < low ? low : high;
    if (nearest == 0) {
      return figure(corrected - nearest) + suffix();
    }
    double share = 100 * (corrected / nearest - 1);
    if (Math.abs(share) < 0.05) {
      return "none";
    }
    return String.format(Locale.ROOT, Math.abs(share) < 9.5 ? "%+.1f %%" : "%+.0f %%", share);
  }

  /** Formats three significant digits, without an exponent and without trailing zeros. */
  static String figure(double value) {
    double size = Math.abs(value);
    if (size == 0) {
      return "0";
    }
    int decimals = (int) Math.clamp(2 - Math.floor(Math.log10(size)), 0, 6);
    String text = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return decimals == 0 ? text : text.replaceFirst("\\.?0+$", "");
  }
}
