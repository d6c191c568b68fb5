package io.cascade.contract;

import io.cascade.api.orchestrator.HopAddress;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of hops as text, SEGMENT.PIPE.HOP such as {@code 0.0.2}, and their order. */
public final class HopAddresses {
  /** The order in which a route lists its hops. */
  public static final Comparator<HopAddress> ORDER =
      Comparator.comparing(HopAddress::segment)
          .thenComparing(HopAddress::pipe)
          .thenComparing(HopAddress::hop);

  /** Bounds of the contract's HopAddress. */
  static final int MOST_SEGMENTS = 16;

  static final int MOST_PIPES = 64;
  static final int MOST_HOPS = 17;

  private static final Pattern TEXT =
      Pattern.compile("(0|[1-9]\\d?)\\.(0|[1-9]\\d?)\\.(0|[1-9]\\d?)");

  private HopAddresses() {}

  /** Writes an address. */
  public static String text(HopAddress address) {
    return address.segment() + "." + address.pipe() + "." + address.hop();
  }

  /**
   * Reads an address, without leading zeros, so that equal addresses have equal texts.
   *
   * @throws IllegalArgumentException naming the text and what was expected
   */
  public static HopAddress parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (matcher.matches()) {
      int segment = Integer.parseInt(matcher.group(1));
      int pipe = Integer.parseInt(matcher.group(2));
      int hop = Integer.parseInt(matcher.group(3));
      if (segment < MOST_SEGMENTS && pipe < MOST_PIPES && hop < MOST_HOPS) {
        return new HopAddress(segment, pipe, hop);
      }
    }
    throw new IllegalArgumentException(
        "hop address: %s (expected: SEGMENT.PIPE.HOP, at most %d.%d.%d)"
            .formatted(text, MOST_SEGMENTS - 1, MOST_PIPES - 1, MOST_HOPS - 1));
  }
}
