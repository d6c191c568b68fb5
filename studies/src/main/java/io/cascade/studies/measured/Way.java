package io.cascade.studies.measured;

import java.util.List;

/**
 * A fixed way from client to server.
 *
 * @param relays in order; empty for the direct way
 */
record Way(List<String> relays) {
  static final Way DIRECT = new Way(List.of());

  /** Congestion controls from which plans choose by default. */
  private static final String CONTROLS = "reno,cubic,bbr";

  Way {
    relays = List.copyOf(relays);
  }

  /** The name in results. */
  String name() {
    return relays.isEmpty() ? "direct" : "via " + String.join(",", relays);
  }

  /** Options of {@code send}: relays choose from the same congestion controls as in a plan. */
  List<String> options() {
    return relays.isEmpty()
        ? List.of("--direct")
        : List.of("--via", String.join(",", relays), "--controls", CONTROLS);
  }
}
