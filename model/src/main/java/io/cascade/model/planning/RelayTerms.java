package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The terms on which a relay may be used: where it stands, what of it is still free, what it costs.
 *
 * <p>Prices are in whatever currency the caller counts in, the same one throughout a topology.
 *
 * @param site the place it stands at; empty if nobody has said
 * @param freeBitsPerSecond payload that it can still forward, its capacity less what other chains
 *     were promised; 0 if nothing is left, empty if it never limits
 * @param pricePerHour of having it, while a stream runs through it
 * @param pricePerGibibyte of payload that leaves it, unless a link has {@linkplain LinkTerms a
 *     price of its own}
 */
public record RelayTerms(
    Optional<String> site,
    OptionalDouble freeBitsPerSecond,
    double pricePerHour,
    double pricePerGibibyte) {

  /** Nowhere in particular, without limit, for nothing. */
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

  /** The same terms with this much payload rate left. */
  public RelayTerms withFree(double bitsPerSecond) {
    return new RelayTerms(site, OptionalDouble.of(bitsPerSecond), pricePerHour, pricePerGibibyte);
  }

  /** The same terms at other prices. */
  public RelayTerms withPrices(double perHour, double perGibibyte) {
    return new RelayTerms(site, freeBitsPerSecond, perHour, perGibibyte);
  }
}
