package io.cascade.studies.bench;

import java.util.List;
import java.util.Locale;

/**
 * Allocations of a relay on its heap while it forwarded.
 *
 * @param unit of what it forwarded; all figures are per unit
 * @param samples from which the profile is computed
 * @param bytesPerUnit of all allocation sites, not only of the listed ones
 */
record AllocationProfile(
    String title,
    String contender,
    String unit,
    double units,
    int samples,
    double bytesPerUnit,
    List<Place> places) {
  private static final int MOST_PLACES = 8;

  /**
   * An allocation site with a large share.
   *
   * @param share of all bytes, 1 for all
   */
  record Place(String allocated, String by, String of, double bytesPerUnit, double share) {
    String bytesText() {
      return String.format(Locale.ROOT, "%,.0f", bytesPerUnit);
    }

    String shareText() {
      return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
  }

  /** Describes the profile in words, without its places. */
  String described() {
    return String.format(
        Locale.ROOT,
        "%s, %s: %,.0f bytes per %s in all (%,d samples, %,.1f %s)",
        title,
        contender,
        bytesPerUnit,
        unit,
        samples,
        units,
        unit.equals("GiB") ? unit : unit + "s");
  }

  static AllocationProfile of(
      String title, String contender, String unit, double units, AllocationSites sites) {
    return new AllocationProfile(
        title,
        contender,
        unit,
        units,
        sites.samples(),
        sites.bytes() / units,
        sites.greatest(MOST_PLACES).stream()
            .map(site ->
                new Place(
                    site.getKey().allocated(),
                    site.getKey().by(),
                    site.getKey().of(),
                    site.getValue() / units,
                    (double) site.getValue() / sites.bytes()))
            .toList());
  }
}
