package io.cascade.studies.topologies;

import java.util.List;
import java.util.Optional;

/**
 * Choice of a rule for a pair of regions.
 *
 * @param route from source to destination
 * @param rival route that has to be tried as well, because the rule cannot decide; empty if it can
 */
record Choice(List<String> route, Optional<List<String>> rival) {

  /** Copies the list. */
  Choice {
    route = List.copyOf(route);
  }

  static Choice of(List<String> route) {
    return new Choice(route, Optional.empty());
  }

  boolean isUndecided() {
    return rival.isPresent();
  }
}
