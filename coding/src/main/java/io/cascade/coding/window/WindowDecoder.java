package io.cascade.coding.window;

import io.cascade.coding.field.GaloisField;
import io.cascade.coding.field.Multiples;
import io.cascade.coding.field.WeightedSum;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recovers missing symbols from repairs, by Gauss–Jordan elimination over missing columns only:
 * known symbols are removed from a repair at once. Equations are kept reduced, so a symbol is
 * recovered as soon as the equations determine it. A symbol that arrives late removes its column.
 *
 * <p>The pivot of an equation is its oldest column, which makes a symbol <i>seen</i> in the sense
 * of TCP/NC: it can be written as a sum of newer symbols only.
 *
 * <p>Bounded: at most {@link #MOST_EQUATIONS} equations over {@link #MOST_COLUMNS} columns. Used by
 * one thread.
 */
public final class WindowDecoder {
  static final int MOST_EQUATIONS = 1_024;
  static final int MOST_COLUMNS = 2_048;
  private static final int NONE = -1;

  /** Effect of a repair on what is known. */
  public enum RepairEffect {
    /** Provided new information. */
    USEFUL,
    /** Provided no new information. */
    REDUNDANT,
    /** Covers a symbol whose bytes are no longer kept. */
    FORGOTTEN,
    /** There was no room for it. */
    OVERFLOWED
  }

  private final SymbolRing symbols;

  /** Terms to subtract from a repair's sum: known symbols, and other equations. */
  private final WeightedSum excess;

  private final Multiples multiples;
  private final SeenMap seen;
  private final int mostEquations;
  private final int mostColumns;

  /** Column of a missing symbol, by its id modulo the ring's capacity; NONE if it has none. */
  private final int[] columnOf;

  private final long[] idOf;
  private final @Nullable Equation[] byPivot;
  private final List<Equation> equations = new ArrayList<>();
  private final ArrayDeque<Equation> spare = new ArrayDeque<>();
  private int columns;
  private long[] recoveredIds = new long[16];
  private int recovered;
  private long contradictions;

  /**
   * @param symbols the known ones; recovered ones are added
   * @param seen records which symbols become seen
   */
  public WindowDecoder(SymbolRing symbols, SeenMap seen) {
    this(symbols, seen, MOST_EQUATIONS, MOST_COLUMNS);
  }

  WindowDecoder(SymbolRing symbols, SeenMap seen, int mostEquations, int mostColumns) {
    this.symbols = symbols;
    this.excess =
        new WeightedSum(RlcCoefficients.MOST_SYMBOLS + mostEquations, symbols.symbolBytes());
    this.multiples = new Multiples(symbols.symbolBytes());
    this.seen = seen;
    this.mostEquations = mostEquations;
    this.mostColumns = mostColumns;
    this.idOf = new long[mostColumns];
    this.byPivot = new Equation[mostColumns];
    this.columnOf = new int[symbols.capacity()];
    Arrays.fill(columnOf, NONE);
    Arrays.fill(idOf, NONE);
  }

  /** Number of independent equations over missing symbols. */
  public int equations() {
    return equations.size();
  }

  /**
   * Number of equations that proved to be wrong; above 0 only if bytes were altered on the path.
   */
  public long contradictions() {
    return contradictions;
  }

  /**
   * A symbol has become known, with its bytes in the ring.
   *
   * @return number of other symbols that this recovered
   */
  public int known(long id) {
    recovered = 0;
    int column = columnOf(id);
    if (column == NONE) {
      return 0;
    }
    multiples.of(symbols.get(id), symbols.symbolBytes());
    for (Equation equation : equations) {
      int factor = equation.takeOut(column);
      if (factor != 0) {
        multiples.addTo(equation.sum, factor);
      }
    }
    Equation without = byPivot[column];
    release(column);
    if (without != null) {
      equations.remove(without);
      without.pivot = Equation.NO_PIVOT;
      excess.clear();
      insert(without);
    }
    solve();
    return recovered;
  }

  /** Number of symbols that the last repair, or the last symbol that became known, recovered. */
  public int recovered() {
    return recovered;
  }

  /**
   * Id of one of the symbols that the last call recovered.
   *
   * @param index 0 to below {@link #recovered()}
   */
  public long recovered(int index) {
    return recoveredIds[index];
  }

  /**
   * Takes a repair.
   *
   * @param oldestKept lowest id whose bytes, if known, are still in the ring
   */
  public RepairEffect repair(Cover cover, byte[] sum, long oldestKept) {
    recovered = 0;
    if (cover.size() == 0 || cover.lowest() < oldestKept) {
      return RepairEffect.FORGOTTEN;
    }
    if (equations.size() >= mostEquations) {
      return RepairEffect.OVERFLOWED;
    }
    Equation equation = spare.isEmpty() ? fresh() : spare.pop();
    equation.clear();
    System.arraycopy(sum, 0, equation.sum, 0, equation.sum.length);
    excess.clear();
    for (int i = 0; i < cover.size(); i++) {
      long id = cover.id(i);
      int factor = cover.coefficient(i);
      if (symbols.holds(id)) {
        excess.add(symbols.get(id), factor);
      } else {
        int column = columnFor(id);
        if (column == NONE) {
          spare.push(equation);
          return RepairEffect.OVERFLOWED;
        }
        equation.set(column, factor);
      }
    }
    if (!insert(equation)) {
      return RepairEffect.REDUNDANT;
    }
    solve();
    return RepairEffect.USEFUL;
  }

  /**
   * Reduces an equation by the others, subtracts the excess from its sum, and reduces the others by
   * it; false if nothing of it is left. No equation contains another's pivot, so the factors of all
   * subtractions are known in advance.
   */
  private boolean insert(Equation equation) {
    for (int column = 0; column < columns; column++) {
      Equation other = byPivot[column];
      int factor = equation.coefficient(column);
      if (other != null && factor != 0) {
        equation.addCoefficients(other, factor, columns);
        excess.add(other.sum, factor);
      }
    }
    excess.addTo(equation.sum, equation.sum.length);
    int pivot = oldestColumn(equation);
    if (pivot == NONE) {
      noteContradiction(equation);
      spare.push(equation);
      return false;
    }
    equation.scale(GaloisField.inverse(equation.coefficient(pivot)), columns);
    equation.pivot = pivot;
    multiples.of(equation.sum, equation.sum.length);
    for (Equation other : equations) {
      int factor = other.coefficient(pivot);
      if (factor != 0) {
        other.addCoefficients(equation, factor, columns);
        multiples.addTo(other.sum, factor);
      }
    }
    byPivot[pivot] = equation;
    seen.note(idOf[pivot]);
    equations.add(equation);
    return true;
  }

  private void noteContradiction(Equation equation) {
    for (byte b : equation.sum) {
      if (b != 0) {
        contradictions++;
        return;
      }
    }
  }

  private int oldestColumn(Equation equation) {
    int oldest = NONE;
    for (int column = 0; column < columns; column++) {
      if (equation.coefficient(column) != 0 && (oldest == NONE || idOf[column] < idOf[oldest])) {
        oldest = column;
      }
    }
    return oldest;
  }

  /**
   * Removes solved equations. The other equations do not have their columns, so they stay as they
   * are.
   */
  private void solve() {
    for (int i = equations.size() - 1; i >= 0; i--) {
      Equation equation = equations.get(i);
      if (equation.isSolved(columns)) {
        long id = idOf[equation.pivot];
        byte[] symbol = symbols.put(id);
        System.arraycopy(equation.sum, 0, symbol, 0, symbol.length);
        release(equation.pivot);
        equations.remove(i);
        spare.push(equation);
        noteRecovered(id);
      }
    }
  }

  private void noteRecovered(long id) {
    if (recovered == recoveredIds.length) {
      recoveredIds = Arrays.copyOf(recoveredIds, 2 * recovered);
    }
    recoveredIds[recovered++] = id;
  }

  private Equation fresh() {
    return new Equation(symbols.symbolBytes());
  }

  private int columnOf(long id) {
    int column = columnOf[(int) id & (columnOf.length - 1)];
    return column != NONE && idOf[column] == id ? column : NONE;
  }

  private int columnFor(long id) {
    int column = columnOf(id);
    if (column != NONE) {
      return column;
    }
    for (column = 0; column < columns; column++) {
      if (idOf[column] == NONE) {
        break;
      }
    }
    if (column == mostColumns) {
      return NONE;
    }
    columns = Math.max(columns, column + 1);
    idOf[column] = id;
    columnOf[(int) id & (columnOf.length - 1)] = column;
    return column;
  }

  private void release(int column) {
    columnOf[(int) idOf[column] & (columnOf.length - 1)] = NONE;
    idOf[column] = NONE;
    byPivot[column] = null;
    while (columns > 0 && idOf[columns - 1] == NONE) {
      columns--;
    }
  }
}
