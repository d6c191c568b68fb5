package io.cascade.coding.window;

import io.cascade.coding.field.WeightedSum;
import java.util.Arrays;

/** Makes repair symbols: sums of source symbols, each times its coefficient. */
public final class WindowEncoder {
  private final SymbolRing symbols;
  private final WeightedSum sum;
  private final byte[] repair;

  public WindowEncoder(SymbolRing symbols) {
    this.symbols = symbols;
    this.sum = new WeightedSum(RlcCoefficients.MOST_SYMBOLS, symbols.symbolBytes());
    this.repair = new byte[symbols.symbolBytes()];
  }

  /**
   * Returns a repair over the covered symbols, all of which must be held.
   *
   * @return the symbol's bytes, valid until the next call
   */
  public byte[] encode(Cover cover) {
    sum.clear();
    for (int i = 0; i < cover.size(); i++) {
      sum.add(symbols.get(cover.id(i)), cover.coefficient(i));
    }
    Arrays.fill(repair, (byte) 0);
    sum.addTo(repair, repair.length);
    return repair;
  }
}
