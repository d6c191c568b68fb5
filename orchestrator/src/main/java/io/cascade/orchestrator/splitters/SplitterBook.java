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
 * Splitters that report. A name belongs to the key that reported with it first, until the splitter
 * has expired. Nothing is stored: splitters are given nothing, so a name that changes hands after a
 * long silence gives nothing away, and after a restart of the orchestrator all of them report again
 * within a heartbeat.
 */
@Component
class SplitterBook implements StateCounts {
  static final int MOST_SPLITTERS = 1_000;

  /** Time for which a lost one is shown: long enough for somebody to see it. */
  static final Duration LOST_SHOWN = Duration.ofMinutes(10);

  private final HeartbeatIntervals heartbeats;
  private final Timekeeper time;
  private final TreeMap<String, KnownSplitter> splitters = new TreeMap<>();

  SplitterBook(HeartbeatIntervals heartbeats, Timekeeper time) {
    this.heartbeats = heartbeats;
    this.time = time;
  }

  /**
   * Takes a report.
   *
   * @throws Refusal where it is not by the name's key, was sent before, or finds no room
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
            MOST_SPLITTERS + " splitters are known; one that ends makes room after its silence");
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

  /** All of them, by name. */
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
