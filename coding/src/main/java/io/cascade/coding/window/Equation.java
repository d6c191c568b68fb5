package io.cascade.coding.window;

import io.cascade.coding.field.GaloisField;
import java.util.Arrays;

/**
 * One linear equation over missing symbols: coefficients by column, and the sum that they give. Its
 * pivot is a column that no other equation has.
 */
final class Equation {
  static final int NO_PIVOT = -1;

  /** Coefficients by column; columns beyond are 0. */
  private byte[] coefficients = new byte[256];

  final byte[] sum;
  int pivot = NO_PIVOT;

  Equation(int symbolBytes) {
    this.sum = new byte[symbolBytes];
  }

  void clear() {
    Arrays.fill(coefficients, (byte) 0);
    Arrays.fill(sum, (byte) 0);
    pivot = NO_PIVOT;
  }

  int coefficient(int column) {
    return column < coefficients.length ? coefficients[column] & 0xff : 0;
  }

  void set(int column, int coefficient) {
    reach(column + 1);
    coefficients[column] = (byte) coefficient;
  }

  private void reach(int columns) {
    if (columns > coefficients.length) {
      coefficients = Arrays.copyOf(coefficients, Math.max(columns, 2 * coefficients.length));
    }
  }

  /** Adds a multiple of another equation's coefficients; the caller adds the sums. */
  void addCoefficients(Equation other, int factor, int columns) {
    int width = Math.min(columns, other.coefficients.length);
    reach(width);
    GaloisField.addProduct(coefficients, other.coefficients, width, factor);
  }

  void scale(int factor, int columns) {
    GaloisField.scale(coefficients, Math.min(columns, coefficients.length), factor);
    GaloisField.scale(sum, sum.length, factor);
  }

  /**
   * Removes a column.
   *
   * @return the coefficient that it had
   */
  int takeOut(int column) {
    int factor = coefficient(column);
    if (factor != 0) {
      coefficients[column] = 0;
    }
    return factor;
  }

  /** Whether the pivot is the only column. */
  boolean isSolved(int columns) {
    int width = Math.min(columns, coefficients.length);
    for (int column = 0; column < width; column++) {
      if (coefficients[column] != 0 && column != pivot) {
        return false;
      }
    }
    return true;
  }
}
