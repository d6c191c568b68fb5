package io.cascade.model.units;

/**
 * Refuses values outside a formula's domain.
 *
 * <p>Every message reads {@code name: value (expected: ...)}, so that a caller can show it as it
 * is.
 */
public final class Require {

  private Require() {}

  /** Requires a finite number greater than zero. */
  public static double positive(String name, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw outside(name, value, "> 0 and finite");
    }
    return value;
  }

  /** Requires a number greater than zero; infinity stands for "without limit". */
  public static double positiveOrInfinite(String name, double value) {
    if (!(value > 0)) {
      throw outside(name, value, "> 0");
    }
    return value;
  }

  /** Requires a finite number that is not negative. */
  public static double notNegative(String name, double value) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw outside(name, value, ">= 0 and finite");
    }
    return value;
  }

  /** Requires a number from 0 to 1, both included. */
  public static double probability(String name, double value) {
    if (!(value >= 0 && value <= 1)) {
      throw outside(name, value, "0..1");
    }
    return value;
  }

  /** Requires a whole number that is not below {@code minimum}. */
  public static long atLeast(String name, long value, long minimum) {
    if (value < minimum) {
      throw outside(name, value, ">= " + minimum);
    }
    return value;
  }

  /** The exception for a value that the caller has found to be outside its domain. */
  public static IllegalArgumentException outside(String name, Object value, String expected) {
    return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
  }
}
