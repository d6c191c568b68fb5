package io.cascade.coding.window;

import io.cascade.coding.field.GaloisField;
import java.util.Arrays;

/** Makes repair symbols: sums of source symbols, each times its coefficient. */
public final class WindowEncoder {
  private final SymbolRing symbols;
  private final byte[] repair;

  public WindowEncoder(SymbolRing symbols) {
    this.symbols = symbols;
    this.repair = new byte[symbols.symbolBytes()];
  }

  /**
   * A repair over what is covered, all of which must be held.
   *
   * @return the symbol's bytes, valid until the next call
   */
  public byte[] encode(Cover cover) {
    Arrays.fill(repair, (byte) 0);
    for (int i = 0; i < cover.size(); i++) {
      GaloisField.addProduct(repair, symbols.get(cover.id(i)), repair.length, cover.coefficient(i));
    }
    return repair;
  }
}
