package io.cascade.studies.measured;

import java.util.List;

/**
 * A fixed way from client to server.
 *
 * @param relays in order; none for the direct one
 */
record Way(List<String> relays) {
  static final Way DIRECT = new Way(List.of());

  /** Those that plans choose from where nobody says otherwise. */
  private static final String CONTROLS = "reno,cubic,bbr";

  Way {
    relays = List.copyOf(relays);
  }

  /** The name in results. */
  String name() {
    return relays.isEmpty() ? "direct" : "via " + String.join(",", relays);
  }

  /** Options of {@code send}: relays may send with what a plan may have them send with. */
  List<String> options() {
    return relays.isEmpty()
        ? List.of("--direct")
        : List.of("--via", String.join(",", relays), "--controls", CONTROLS);
  }
}
