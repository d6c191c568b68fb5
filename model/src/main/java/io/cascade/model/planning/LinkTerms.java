package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.OptionalDouble;

/**
 * The terms on which a link may be used.
 *
 * @param freeBitsPerSecond what is left of its capacity on the wire, other chains' promised shares
 *     taken off; 0 if nothing, empty if nothing was promised
 * @param pricePerGibibyte of payload over it; empty if the {@linkplain RelayTerms relay's} price
 *     for what leaves it holds
 */
public record LinkTerms(OptionalDouble freeBitsPerSecond, OptionalDouble pricePerGibibyte) {

  /** All of it, at the relay's price. */
  public static final LinkTerms USUAL =
      new LinkTerms(OptionalDouble.empty(), OptionalDouble.empty());

  /** Checks the values. */
  public LinkTerms {
    freeBitsPerSecond.ifPresent(value -> Require.notNegative("freeBitsPerSecond", value));
    pricePerGibibyte.ifPresent(value -> Require.notNegative("pricePerGibibyte", value));
  }

  /** The same terms with this much left on the wire. */
  public LinkTerms withFree(double bitsPerSecond) {
    return new LinkTerms(OptionalDouble.of(bitsPerSecond), pricePerGibibyte);
  }

  /** The same terms at a price. */
  public LinkTerms withPrice(double perGibibyte) {
    return new LinkTerms(freeBitsPerSecond, OptionalDouble.of(perGibibyte));
  }
}
