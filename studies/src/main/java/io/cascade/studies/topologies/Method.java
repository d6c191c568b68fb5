package io.cascade.studies.topologies;

/** Compared methods of choosing a route. */
enum Method {
  /** The connection without relays. */
  DIRECT("direct"),
  /** The least sum of round trips; the direct path is one of the candidates. */
  LEAST_ROUND_TRIP("least round trip"),
  /** The greatest of the least measured throughputs of routes. */
  MEASURED_THROUGHPUT("measured throughput"),
  /** The planner's choice, even if the planner is undecided. */
  PLANNER("planner"),
  /** The better of both ways if the planner is undecided, less the largest cost of a trial. */
  PLANNER_WITH_TRIAL("planner and trial"),
  /** The best route by the true throughputs. */
  HINDSIGHT("hindsight");

  private final String title;

  Method(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
