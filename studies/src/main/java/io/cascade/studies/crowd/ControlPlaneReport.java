package io.cascade.studies.crowd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What an orchestrator did with many relays, beside the goals.
 *
 * @param relays that were simulated
 * @param callers at a time, in the second phase
 * @param chains that were open all the time
 * @param calm relays and chains alone
 * @param loaded callers beside them
 * @param called what became of the calls
 * @param lost times that a relay was said to be lost
 * @param broken chains that were not ready at the end
 * @param restart the orchestrator killed and started again under the relays
 */
record ControlPlaneReport(
    int relays,
    int callers,
    int chains,
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
   * @param cores processors that the orchestrator used, on average
   * @param heartbeatBytes a second, with the answers
   * @param heartbeats until they were answered
   * @param late how much later than after a third of its length leases were renewed
   */
  record Phase(
      double seconds,
      double cores,
      double heartbeatBytes,
      Latencies.Seconds heartbeats,
      Latencies.Seconds late) {}

  /**
   * A restart; infinite where it never came to that.
   *
   * @param heardSeconds from the kill until every relay had been heard
   * @param quietSeconds until the orchestrator used less than a core from then on, for five seconds
   */
  record Restart(double heardSeconds, double quietSeconds) {}

  /** A goal and what was measured. */
  record Line(String what, String goal, String measured, boolean held) {}

  List<Line> lines() {
    return List.of(
        cores("processors of the orchestrator, relays and chains alone", calm.cores()),
        new Line(
            "heartbeats and their answers, relays and chains alone",
            "< 2 MB/s",
            String.format(Locale.ROOT, "%.2f MB/s", calm.heartbeatBytes() / 1e6),
            calm.heartbeatBytes() < MOST_BYTES),
        seconds("answer to a heartbeat, p99, relays and chains alone", calm.heartbeats()),
        seconds("lease renewed later than after a third of it, p99", calm.late()),
        seconds("answer to a heartbeat, p99, beside callers", loaded.heartbeats()),
        seconds("lease renewed later than after a third, p99, beside callers", loaded.late()),
        new Line("relays said to be lost", "0", Long.toString(lost), lost == 0),
        new Line(
            "chains not ready at the end, of some 250 that were looked at",
            "0",
            Long.toString(broken),
            broken == 0),
        new Line("calls that failed", "0", Long.toString(called.failed()), called.failed() == 0),
        within("all relays heard after a restart", HEARD_SECONDS, restart.heardSeconds()),
        within("quiet after a restart", QUIET_SECONDS, restart.quietSeconds()));
  }

  private static Line cores(String what, double cores) {
    return new Line(what, "< 1", String.format(Locale.ROOT, "%.2f", cores), cores < MOST_CORES);
  }

  private static Line seconds(String what, Latencies.Seconds measured) {
    return new Line(
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

  private static Line within(String what, double goal, double seconds) {
    return new Line(
        what,
        String.format(Locale.ROOT, "%.0f s", goal),
        Double.isInfinite(seconds) ? "never" : String.format(Locale.ROOT, "%.1f s", seconds),
        seconds <= goal);
  }

  boolean held() {
    return lines().stream().allMatch(Line::held);
  }

  /** The table. */
  String table() {
    StringBuilder text =
        new StringBuilder("| what | goal | measured | |\n| --- | --- | --- | --- |\n");
    for (Line line : lines()) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %s | %s |\n",
              line.what(),
              line.goal(),
              line.measured(),
              line.held() ? "holds" : "does not hold"));
    }
    return text.append(
            String.format(
                Locale.ROOT,
                """

                Beside callers, in %.0f s: %.2f processors; %d plans made and %d refused, %d chains opened and closed, %d reads (p99 %.3f s), \
                %d other calls refused.
                """,
                loaded.seconds(),
                loaded.cores(),
                called.plans(),
                called.refusedPlans(),
                called.opened(),
                called.reads(),
                called.readTimes().p99(),
                called.refused()))
        .toString();
  }

  void write(Path page, String command, String machine) throws IOException {
    Files.writeString(
        page,
        String.format(
            Locale.ROOT,
            """
            # A control plane with %,d relays

            Generated by `%s`. %s

            One orchestrator process as `./cascade orchestrator` starts it, over loopback, with its database in a file. %,d simulated relays in one other process: \
            they register, report, keep control connections and hold parts as relays do, with a relay's own code, and carry nothing. \
            Each reports round trips to as many others as it is told to measure. %,d chains over two or three relays are open. Then %d callers ask for plans, \
            open and close chains, and read, with at most a second between two calls of each. \
            At last the orchestrator is killed and started again. Relays and callers share the machine's processors with it.

            %s\
            """
                .stripIndent(),
            relays,
            command,
            machine,
            relays,
            chains,
            callers,
            table()));
  }
}
