package io.cascade.studies.rivals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path with the times of all contenders over it.
 *
 * @param repetitions that were requested of each contender
 * @param contenders that were measured
 * @param startSeconds durations of a Cascade verb that does no work: the start of its processes
 * @param failure reason why nothing was measured; null if something was
 */
record RivalResult(
    RivalPath path,
    int repetitions,
    List<Competitor> contenders,
    List<Double> startSeconds,
    List<Run> runs,
    @Nullable String failure) {

  /**
   * One contender with the file, once.
   *
   * @param seconds from the start of the command to the confirmation that all bytes arrived; null
   *     if it failed
   * @param isCutOff whether it was stopped after {@code seconds}, before its end
   * @param busy share of the machine's processors that were busy during the run, 0 to 1
   * @param load threads that ran or waited for a processor over the last minute
   * @param note way that it used, or reason of its failure
   */
  record Run(
      Competitor contender,
      int repetition,
      @Nullable Double seconds,
      boolean isCutOff,
      double busy,
      double load,
      String note) {}

  /** Copies the lists. */
  RivalResult {
    contenders = List.copyOf(contenders);
    startSeconds = List.copyOf(startSeconds);
    runs = List.copyOf(runs);
  }

  static RivalResult failed(RivalPath path, int repetitions, String why) {
    return new RivalResult(path, repetitions, List.of(), List.of(), List.of(), why);
  }

  /** Key of the path in result files. */
  String key() {
    return path.name();
  }
}
