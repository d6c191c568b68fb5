package io.cascade.studies.topologies;

/** The ways to choose that are compared. */
enum Method {
  /** The connection that would be made without relays. */
  DIRECT("direct"),
  /** The least sum of round trips, the direct path among the candidates. */
  LEAST_ROUND_TRIP("least round trip"),
  /** The widest by measured throughputs. */
  MEASURED_THROUGHPUT("measured throughput"),
  /** Choice of the planner, also where it was not sure. */
  PLANNER("planner"),
  /** The better of both where the planner was not sure, less all that a trial may cost. */
  PLANNER_WITH_TRIAL("planner and trial"),
  /** The best there was, for whoever knows the truth. */
  HINDSIGHT("hindsight");

  private final String title;

  Method(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }
}
