package io.cascade.orchestrator.splitters;

import io.cascade.api.identity.RelayProof;
import io.cascade.api.orchestrator.Splitter;
import io.cascade.api.orchestrator.SplitterReport;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.HeartbeatIntervals;
import io.cascade.orchestrator.statistics.StateCounts;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.stereotype.Component;

/**
 * Splitters that report. A name belongs to the key that first reported with it, until the splitter
 * has expired. Nothing is stored: splitters receive nothing, so no data leaks if a name changes
 * owner after a long silence, and after a restart of the orchestrator all splitters report again
 * within a heartbeat.
 */
@Component
class SplitterBook implements StateCounts {
  static final int MOST_SPLITTERS = 1_000;

  /** Time for which a lost splitter is shown, long enough for an operator to notice. */
  static final Duration LOST_SHOWN = Duration.ofMinutes(10);

  private final HeartbeatIntervals heartbeats;
  private final Timekeeper time;
  private final TreeMap<String, KnownSplitter> splitters = new TreeMap<>();

  SplitterBook(HeartbeatIntervals heartbeats, Timekeeper time) {
    this.heartbeats = heartbeats;
    this.time = time;
  }

  /**
   * Accepts a report.
   *
   * @throws Refusal if it is not signed with the name's key, is a replay, or there are too many
   *     splitters
   */
  void report(String name, SplitterReport report) {
    if (!RelayProof.holds(name, report)) {
      throw new Refusal(
          ProblemKind.SPLITTER_UNPROVEN,
          name + ": the report is not signed by the key that it names");
    }
    admit(name, report);
  }

  private synchronized void admit(String name, SplitterReport report) {
    expire();
    KnownSplitter known = splitters.get(name);
    if (known == null) {
      if (splitters.size() >= MOST_SPLITTERS) {
        throw new Refusal(
            ProblemKind.LIMIT_REACHED,
            MOST_SPLITTERS
                + " splitters are known; a stopped splitter is removed once it has been silent for "
                + expiresAfter().toSeconds()
                + " s");
      }
    } else if (!known.report().publicKey().equals(report.publicKey())) {
      throw new Refusal(
          ProblemKind.SPLITTER_UNPROVEN,
          name
              + ": its key is "
              + RelayProof.fingerprint(report.publicKey())
              + ", and the name belongs to "
              + RelayProof.fingerprint(known.report().publicKey())
              + " until that one has been silent for "
              + expiresAfter().toSeconds()
              + " s; fix: start it with that splitter's identity file, or with another --report-as");
    } else if (report.sequence() <= known.report().sequence()) {
      throw new Refusal(
          ProblemKind.STALE_MESSAGE,
          name + ": report " + report.sequence() + " (expected: a later one)");
    }
    splitters.put(name, new KnownSplitter(name, report, time.steady()));
  }

  /** All splitters, by name. */
  synchronized List<Splitter> all() {
    expire();
    return splitters.values().stream().map(this::document).toList();
  }

  @Override
  public String name() {
    return "splitters";
  }

  @Override
  public Map<String, Long> byState() {
    return StateCounts.upOr("lost", all(), Splitter::lost);
  }

  private void expire() {
    Instant limit = time.steady().minus(expiresAfter());
    splitters.values().removeIf(splitter -> splitter.heardAt().isBefore(limit));
  }

  private Duration expiresAfter() {
    return heartbeats.lostAfter().plus(LOST_SHOWN);
  }

  private Splitter document(KnownSplitter splitter) {
    Duration silent = Duration.between(splitter.heardAt(), time.steady());
    return new Splitter(
        splitter.name(),
        silent.compareTo(heartbeats.lostAfter()) > 0,
        Math.max(0, silent.toMillis() / 1e3),
        splitter.report());
  }
}
