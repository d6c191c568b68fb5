package io.cascade.testbed.measured;

import java.util.List;

/**
 * A fixed way from client to server.
 *
 * @param relays in order; none for the direct one
 */
record Way(List<String> relays) {
  static final Way DIRECT = new Way(List.of());

  Way {
    relays = List.copyOf(relays);
  }

  /** The name in results. */
  String name() {
    return relays.isEmpty() ? "direct" : "via " + String.join(",", relays);
  }

  /** What {@code send} is told. */
  List<String> options() {
    return relays.isEmpty() ? List.of("--direct") : List.of("--via", String.join(",", relays));
  }
}
