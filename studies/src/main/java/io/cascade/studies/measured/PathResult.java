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
 * @param at time at which it began, ISO 8601
 * @param bytes of every transfer
 * @param repetitions of every way
 * @param upSeconds until its processes had started, including the wait for a processor
 * @param early the first plan, whose throughput tests had only been requested; null if it failed
 * @param plan the plan after measuring; null if it failed
 * @param expectedBest the way through relays that the model prefers from all link parameters
 * @param expected rates of the fixed ways that the model predicts from all link parameters
 * @param transfers in the order in which they ran
 * @param failure reason why the result is incomplete; null if it is complete
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

  /** The name in results of a {@code send} that chose its own way. */
  static final String OWN_CHOICE = "send";

  /** Copies the lists. */
  PathResult {
    expected = List.copyOf(expected);
    transfers = List.copyOf(transfers);
  }

  String key() {
    return path.key();
  }

  /** Rate of a way that the model predicts from all link parameters. */
  record Expected(String way, double bitsPerSecond) {}

  /**
   * A plan from the product's own measurements only.
   *
   * @param seconds duration of the verb
   * @param relays of the best cascade
   * @param notes messages of the verb to its user; null in results older than this field
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
   * A plan's prediction for a way.
   *
   * @param way its name
   * @param secondsHigh null if no measurement bounds the time from above
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

  /** A plan's values for a hop. */
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
   * @param load the machine's one-minute load average when it began
   * @param seconds duration of the file's transfer as the sender reported it; null if it failed
   * @param totalSeconds since the start of the verb, including planning and opening a chain if the
   *     file waited for them; null if it failed, and in results older than this field
   * @param relays of the way at its end
   * @param directBytes bytes that arrived directly, if both ways were used
   * @param relayedBytes bytes that arrived through relays, if both ways were used
   * @param notes messages of the verb to its user
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

    /** Time that the user waited for the transfer; null if it failed. */
    @Nullable Double waitedSeconds() {
      return totalSeconds == null ? seconds : totalSeconds;
    }
  }

  /**
   * A message to the user.
   *
   * @param seconds after the start of the verb, rounded to a tenth
   */
  record Note(double seconds, String text) {}
}
