package io.cascade.studies.measured;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plans and measurements on one path.
 *
 * @param at when it began, ISO 8601
 * @param bytes of every transfer
 * @param repetitions of every way
 * @param upSeconds that its processes took to start, with the wait for a processor
 * @param early the first plan, whose throughput tests had just been asked for; null where it failed
 * @param plan the plan after measuring; null where it failed
 * @param expectedBest the way through relays that the model would take if told the links'
 *     parameters
 * @param expected what the model expects of the fixed ways if told the links' parameters
 * @param transfers in the order in which they ran
 * @param failure why there is less than there should be; null where nothing is missing
 */
record PathResult(
    EmulatedPath path,
    String at,
    long bytes,
    int repetitions,
    double upSeconds,
    @Nullable Planned early,
    @Nullable Planned plan,
    String expectedBest,
    List<Expected> expected,
    List<Transfer> transfers,
    @Nullable String failure) {

  /** The name in results of a {@code send} that chose its way itself. */
  static final String OWN_CHOICE = "send";

  /** Copies the lists. */
  PathResult {
    expected = List.copyOf(expected);
    transfers = List.copyOf(transfers);
  }

  String key() {
    return path.key();
  }

  /** Rate that the model expects of a way if told the links' parameters. */
  record Expected(String way, double bitsPerSecond) {}

  /**
   * A plan by nothing but the product's measurements.
   *
   * @param seconds that the verb took
   * @param relays of the best cascade
   * @param notes what the verb told its user; null in results older than this
   */
  record Planned(
      double seconds,
      Decision decision,
      @Nullable Double probabilityCascadeWins,
      String why,
      List<String> relays,
      List<Prediction> predictions,
      @Nullable List<Note> notes) {
    /** Copies the lists. */
    Planned {
      relays = List.copyOf(relays);
      predictions = List.copyOf(predictions);
      notes = notes == null ? null : List.copyOf(notes);
    }

    static Planned of(Plan plan, double seconds, List<Note> notes) {
      return new Planned(
          seconds,
          plan.decision(),
          plan.probabilityCascadeWins(),
          plan.summary(),
          plan.relays() == null ? List.of() : plan.relays(),
          plan.candidates().stream()
              .filter(
                  one -> one.kind() == CandidateKind.DIRECT || one.kind() == CandidateKind.CASCADE)
              .map(Prediction::of)
              .toList(),
          notes);
    }

    Optional<Prediction> prediction(String way) {
      return predictions.stream().filter(one -> one.way().equals(way)).findFirst();
    }
  }

  /**
   * Prediction of a plan for a way.
   *
   * @param way its name
   * @param secondsHigh null where nothing bounds the time
   */
  record Prediction(
      String way,
      @Nullable Double secondsLow,
      @Nullable Double seconds,
      @Nullable Double secondsHigh,
      List<PredictedHop> hops) {
    /** Copies the list. */
    Prediction {
      hops = List.copyOf(hops);
    }

    static Prediction of(Candidate candidate) {
      return new Prediction(
          new Way(candidate.relays()).name(),
          candidate.secondsLow(),
          candidate.seconds(),
          candidate.secondsHigh(),
          candidate.hops().stream().map(PredictedHop::of).toList());
    }
  }

  /** Knowledge of a plan on a hop. */
  record PredictedHop(
      String from,
      String to,
      @Nullable Double rttMillis,
      @Nullable Double lossRate,
      @Nullable Long counted,
      @Nullable Double bitsPerSecond,
      @Nullable Double capacityBitsPerSecond,
      @Nullable String capacityKind,
      @Nullable Double correction) {
    static PredictedHop of(HopPrediction hop) {
      return new PredictedHop(
          hop.from(),
          hop.to(),
          hop.rttMillis(),
          hop.lossRate(),
          hop.probesSent(),
          hop.bitsPerSecond(),
          hop.capacityBitsPerSecond(),
          hop.capacityKind() == null ? null : hop.capacityKind().toString(),
          hop.correction());
    }
  }

  /**
   * One {@code send}.
   *
   * @param way {@value #OWN_CHOICE}, or the fixed way's name
   * @param repetition 0 for the first
   * @param load the machine's load average of one minute when it began
   * @param seconds that the file took, as the sender said; null where it failed
   * @param totalSeconds since the verb began, with planning and opening a chain where the file
   *     waited for them; null where it failed, and in results older than this figure
   * @param relays that it ended over
   * @param directBytes that arrived directly, where it went both ways
   * @param relayedBytes that arrived through relays, where it went both ways
   * @param notes what it told its user
   */
  record Transfer(
      String way,
      int repetition,
      double load,
      @Nullable Double seconds,
      @Nullable Double totalSeconds,
      @Nullable String route,
      List<String> relays,
      @Nullable String why,
      @Nullable Long directBytes,
      @Nullable Long relayedBytes,
      @Nullable Double predictedSecondsLow,
      @Nullable Double predictedSeconds,
      @Nullable Double predictedSecondsHigh,
      List<Note> notes,
      @Nullable String failure) {
    /** Copies the lists. */
    Transfer {
      relays = List.copyOf(relays);
      notes = List.copyOf(notes);
    }

    /** Time that the transfer's user waited; null where it failed. */
    @Nullable Double waitedSeconds() {
      return totalSeconds == null ? seconds : totalSeconds;
    }
  }

  /**
   * A line for the user.
   *
   * @param seconds after the verb was started, to a tenth
   */
  record Note(double seconds, String text) {}
}
