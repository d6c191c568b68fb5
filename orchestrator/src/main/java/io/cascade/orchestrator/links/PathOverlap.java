package io.cascade.orchestrator.links;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Whether the paths of two links share a part of the network, as far as round-trip times show: the
 * path from A to B includes the one from X to Y if A to X to Y to B is hardly a detour.
 *
 * <p>If a round-trip time is unknown, links do not overlap.
 */
final class PathOverlap {
  /**
   * Largest ratio of the round trip of a detour to that of the path at which it does not count as a
   * detour.
   */
  static final double DETOUR = 1.25;

  private final RoundTrips roundTrips;

  /** Round-trip times between relays. */
  interface RoundTrips {
    OptionalDouble between(String from, String to);
  }

  PathOverlap(RoundTrips roundTrips) {
    this.roundTrips = roundTrips;
  }

  /** Whether a queue that traffic of one path fills may be on the other path, too. */
  boolean between(PathEnds one, PathEnds other) {
    for (String from : Set.copyOf(List.of(one.from(), other.from()))) {
      for (String to : Set.copyOf(List.of(one.to(), other.to()))) {
        if (!from.equals(to) && passes(one, from, to) && passes(other, from, to)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean passes(PathEnds path, String from, String to) {
    double within = roundTrip(from, to);
    if (Double.isNaN(within)) {
      return false; // the usual case with many relays
    }
    double detour = roundTrip(path.from(), from) + within + roundTrip(to, path.to());
    return detour <= DETOUR * roundTrip(path.from(), path.to());
  }

  /** Returns NaN if it is unknown, with which every comparison is false. */
  private double roundTrip(String from, String to) {
    return from.equals(to) ? 0 : roundTrips.between(from, to).orElse(Double.NaN);
  }
}
