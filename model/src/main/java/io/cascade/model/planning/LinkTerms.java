package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.OptionalDouble;

/**
 * The terms on which a link may be used.
 *
 * @param freeBitsPerSecond its capacity on the wire less what is promised to other chains; 0 if
 *     nothing is left, empty if nothing was promised
 * @param pricePerGibibyte of payload over it; empty if the {@linkplain RelayTerms relay's} price
 *     for outgoing traffic applies
 */
public record LinkTerms(OptionalDouble freeBitsPerSecond, OptionalDouble pricePerGibibyte) {

  /** Unlimited, at the relay's price. */
  public static final LinkTerms USUAL =
      new LinkTerms(OptionalDouble.empty(), OptionalDouble.empty());

  /** Checks the values. */
  public LinkTerms {
    freeBitsPerSecond.ifPresent(value -> Require.notNegative("freeBitsPerSecond", value));
    pricePerGibibyte.ifPresent(value -> Require.notNegative("pricePerGibibyte", value));
  }

  /** The same terms with this free capacity on the wire. */
  public LinkTerms withFree(double bitsPerSecond) {
    return new LinkTerms(OptionalDouble.of(bitsPerSecond), pricePerGibibyte);
  }

  /** The same terms at a price. */
  public LinkTerms withPrice(double perGibibyte) {
    return new LinkTerms(freeBitsPerSecond, OptionalDouble.of(perGibibyte));
  }
}
