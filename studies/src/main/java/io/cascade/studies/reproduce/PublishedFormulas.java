package io.cascade.studies.reproduce;

import io.cascade.model.cascade.AsPublished;
import io.cascade.model.cascade.Hop;

/** Rates by the equations of "Cascaded TCP" as they are printed. */
final class PublishedFormulas {
  static final AsPublished PUBLISHED = AsPublished.DEFAULTS;

  private PublishedFormulas() {}

  /**
   * The paper's utilisation of a path divided into equal hops of unchanged loss, which equation 6
   * implies.
   */
  static double publishedUtilisation(Hop path, int relays) {
    return PUBLISHED.bitsPerSecond(path.withRtt(path.rttSeconds() / (relays + 1)))
        / path.capacityBitsPerSecond().orElseThrow();
  }

  static double publishedGain(Hop path, int relays) {
    return publishedUtilisation(path, relays) / publishedUtilisation(path, 0);
  }

  /** Equation 8, which divides the loss and drops c, as a share of the capacity. */
  static double equation8(Hop path, int relays) {
    return PUBLISHED.bitsPerSecondWithRelays(path, relays)
        / path.capacityBitsPerSecond().orElseThrow();
  }
}
