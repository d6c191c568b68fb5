package io.cascade.relay.control;

/**
 * Operations that share turns. What one lane does cannot delay another, so that neither probes nor
 * parts that wait for their next relay hold up the renewal of leases or the removal of parts.
 */
enum Lane {
  /** Health, which needs neither token nor turn: a busy relay still answers. */
  HEALTH(0),

  /** Renewals, which wait for no other operation. */
  LEASES(16),

  /** Installation of parts, and limits. An installation waits for the next relay. */
  PARTS(64),

  /** Removal of parts, which waits for no other operation. */
  REMOVALS(16),

  /** Lists, streams and metrics. */
  READS(32),

  /** Throughput tests, of which one runs at a time; the others are refused at once. */
  TESTS(4),

  /** Probes, whose turns {@link ProbeTurns} gives. */
  PROBES(0);

  private final int turns;

  Lane(int turns) {
    this.turns = turns;
  }

  /** Number of requests that run at once; 0 where this is not counted here. */
  int turns() {
    return turns;
  }
}
