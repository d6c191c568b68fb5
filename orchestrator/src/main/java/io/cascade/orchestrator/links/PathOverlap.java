package io.cascade.orchestrator.links;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Whether packets from one relay to another pass stretches of the network that those of another
 * link pass as well, as far as round trips tell: a stretch from X to Y is on the path from A to B
 * where A to X to Y to B is hardly a detour.
 *
 * <p>Where a round trip is not known, links do not overlap.
 */
final class PathOverlap {
  /** The round trip of a detour over that of the path, at most, to be none. */
  static final double DETOUR = 1.25;

  private final RoundTrips roundTrips;

  /** Returns the round trip between two relays, in any unit. */
  interface RoundTrips {
    OptionalDouble between(String from, String to);
  }

  PathOverlap(RoundTrips roundTrips) {
    this.roundTrips = roundTrips;
  }

  /** Whether a queue that one path's traffic fills may be on the other one, too. */
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
      return false; // The usual case among many relays.
    }
    double detour = roundTrip(path.from(), from) + within + roundTrip(to, path.to());
    return detour <= DETOUR * roundTrip(path.from(), path.to());
  }

  /** Not a number, with which every comparison is false, where it is not known. */
  private double roundTrip(String from, String to) {
    return from.equals(to) ? 0 : roundTrips.between(from, to).orElse(Double.NaN);
  }
}
