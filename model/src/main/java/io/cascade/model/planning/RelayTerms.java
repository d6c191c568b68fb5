package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The terms on which a relay may be used: its site, its free capacity, its price.
 *
 * <p>Prices are in any currency of the caller, the same one throughout a topology.
 *
 * @param site its site; empty if unknown
 * @param freeBitsPerSecond payload that it can still forward: its capacity less what is promised to
 *     other chains; 0 if nothing is left, empty if it never limits
 * @param pricePerHour price while a stream runs through it
 * @param pricePerGibibyte of payload that leaves it, unless a link has {@linkplain LinkTerms a
 *     price of its own}
 */
public record RelayTerms(
    Optional<String> site,
    OptionalDouble freeBitsPerSecond,
    double pricePerHour,
    double pricePerGibibyte) {

  /** Without a site, a limit or a price. */
  public static final RelayTerms FREE =
      new RelayTerms(Optional.empty(), OptionalDouble.empty(), 0, 0);

  /** Checks the values. */
  public RelayTerms {
    freeBitsPerSecond.ifPresent(value -> Require.notNegative("freeBitsPerSecond", value));
    Require.notNegative("pricePerHour", pricePerHour);
    Require.notNegative("pricePerGibibyte", pricePerGibibyte);
  }

  /** The same terms at a site. */
  public RelayTerms at(String name) {
    return new RelayTerms(Optional.of(name), freeBitsPerSecond, pricePerHour, pricePerGibibyte);
  }

  /** The same terms with this free payload rate. */
  public RelayTerms withFree(double bitsPerSecond) {
    return new RelayTerms(site, OptionalDouble.of(bitsPerSecond), pricePerHour, pricePerGibibyte);
  }

  /** The same terms at other prices. */
  public RelayTerms withPrices(double perHour, double perGibibyte) {
    return new RelayTerms(site, freeBitsPerSecond, perHour, perGibibyte);
  }
}
