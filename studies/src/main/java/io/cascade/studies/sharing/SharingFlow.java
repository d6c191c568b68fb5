package io.cascade.studies.sharing;

import java.util.List;

/** The flow beside a CUBIC connection of another user. */
enum SharingFlow {
  CUBIC("another CUBIC connection"),
  BBR("a BBR connection"),
  SEND("`send --direct`"),
  OWN("`send --direct --controls own`"),
  CASCADE("`send --via middle`"),
  CASCADE_CUBIC("`send --via middle`, CUBIC on every hop");

  private final String title;

  SharingFlow(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Options of {@code send}; empty for a plain connection. */
  List<String> options() {
    return switch (this) {
      case CUBIC, BBR -> List.of();
      case SEND -> List.of("--direct");
      case OWN -> List.of("--direct", "--controls", "own");
      case CASCADE -> List.of("--via", SharingPath.RELAY);
      case CASCADE_CUBIC ->
          List.of("--via", SharingPath.RELAY, "--congestion-control", "cubic", "--controls", "own");
    };
  }
}
