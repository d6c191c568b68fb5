package io.cascade.relay.control;

/**
 * Operations that share a bound on how many run at once. Operations of one lane cannot delay those
 * of another. So neither probes nor parts that wait for their next relay hold up renewals of leases
 * or removals of parts.
 */
enum Lane {
  /** Health, which needs neither a token nor a free place: a busy relay still answers. */
  HEALTH(0),

  /** Renewals, which wait for no other operation. */
  LEASES(16),

  /** Installation of parts, and limits. An installation waits for the next relay. */
  PARTS(64),

  /** Removal of parts, which waits for no other operation. */
  REMOVALS(16),

  /** Lists, streams and metrics. */
  READS(32),

  /** Throughput tests. One runs at a time; further ones are refused at once. */
  TESTS(4),

  /** Probes, which {@link ProbeTurns} bounds. */
  PROBES(0);

  private final int turns;

  Lane(int turns) {
    this.turns = turns;
  }

  /** Number of requests that run at once; 0 where this class does not bound it. */
  int turns() {
    return turns;
  }
}
