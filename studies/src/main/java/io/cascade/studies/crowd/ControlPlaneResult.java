package io.cascade.studies.crowd;

import io.cascade.studies.study.Finding;
import io.cascade.studies.study.Goal;
import java.util.List;
import java.util.Locale;

/**
 * Result of an orchestrator with many relays.
 *
 * @param load of the orchestrator
 * @param repetition from 1
 * @param calm phase with relays and chains alone
 * @param loaded phase with callers beside them
 * @param called outcome of the calls
 * @param lost number of times that a relay was reported as lost
 * @param broken chains that were not ready at the end
 * @param restart of the orchestrator, which was killed while relays were connected
 */
record ControlPlaneResult(
    ControlPlane.Load load,
    int repetition,
    Phase calm,
    Phase loaded,
    Callers.Outcome called,
    long lost,
    long broken,
    Restart restart) {
  private static final double MOST_SECONDS = 1;
  private static final double MOST_CORES = 1;
  private static final double MOST_BYTES = 2e6;
  private static final double HEARD_SECONDS = 15;
  private static final double QUIET_SECONDS = 30;

  /**
   * One phase.
   *
   * @param cores processors that the orchestrator used on average
   * @param heartbeatBytes bytes per second of heartbeats and their answers
   * @param heartbeats time until they were answered
   * @param late delay of lease renewals beyond a third of the lease
   */
  record Phase(
      double seconds,
      double cores,
      double heartbeatBytes,
      Latencies.Seconds heartbeats,
      Latencies.Seconds late) {}

  /**
   * Times of a restart; infinite if the condition was not reached.
   *
   * @param heardSeconds from the kill until the orchestrator had heard from every relay
   * @param quietSeconds from the kill until the orchestrator began to use less than one processor
   *     for five seconds
   */
  record Restart(double heardSeconds, double quietSeconds) {}

  String key() {
    return key(load, repetition);
  }

  static String key(ControlPlane.Load load, int repetition) {
    return String.format(
        Locale.ROOT,
        "%,d relays, %,d chains, %,d callers, %d s #%d",
        load.relays(),
        load.chains(),
        load.callers(),
        load.phase().toSeconds(),
        repetition);
  }

  List<Goal> goals() {
    return List.of(
        cores("processors of the orchestrator, relays and chains alone", calm.cores()),
        goal(
            "heartbeats and their answers, relays and chains alone",
            "< 2 MB/s",
            String.format(Locale.ROOT, "%.2f MB/s", calm.heartbeatBytes() / 1e6),
            calm.heartbeatBytes() < MOST_BYTES),
        seconds("answer to a heartbeat, p99, relays and chains alone", calm.heartbeats()),
        seconds(
            "delay of a lease renewal beyond a third of the lease, p99, relays and chains alone",
            calm.late()),
        seconds("answer to a heartbeat, p99, beside callers", loaded.heartbeats()),
        seconds(
            "delay of a lease renewal beyond a third of the lease, p99, beside callers",
            loaded.late()),
        none("relays reported as lost", lost),
        none("chains not ready at the end, of a sample of some 250", broken),
        none("calls that failed", called.failed()),
        within("heartbeats of all relays after a restart", HEARD_SECONDS, restart.heardSeconds()),
        within(
            "less than one processor used after a restart", QUIET_SECONDS, restart.quietSeconds()));
  }

  private static Goal goal(String what, String goal, String found, boolean met) {
    return new Goal(what, goal, found, Finding.of(met));
  }

  private static Goal none(String what, long count) {
    return goal(what, "0", Long.toString(count), count == 0);
  }

  private static Goal cores(String what, double cores) {
    return goal(what, "< 1", String.format(Locale.ROOT, "%.2f", cores), cores < MOST_CORES);
  }

  private static Goal seconds(String what, Latencies.Seconds measured) {
    return goal(
        what,
        "< 1 s",
        measured.count() == 0
            ? "none"
            : String.format(
                Locale.ROOT,
                "%.3f s (median %.3f, longest %.3f, of %d)",
                measured.p99(),
                measured.median(),
                measured.longest(),
                measured.count()),
        measured.count() > 0 && measured.p99() < MOST_SECONDS);
  }

  private static Goal within(String what, double goal, double seconds) {
    return goal(
        what,
        String.format(Locale.ROOT, "%.0f s", goal),
        Double.isInfinite(seconds) ? "never" : String.format(Locale.ROOT, "%.1f s", seconds),
        seconds <= goal);
  }
}
