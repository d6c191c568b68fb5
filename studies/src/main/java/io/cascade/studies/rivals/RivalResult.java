package io.cascade.studies.rivals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A path with the times of all contenders over it.
 *
 * @param repetitions that were wanted of each
 * @param contenders that took part
 * @param startSeconds what a verb of Cascade takes that does nothing: its processes' start
 * @param failure why nothing was measured; null where something was
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
   * @param seconds from the start of its command to the confirmation that all has arrived; null
   *     where it failed
   * @param isCutOff whether it had not finished after {@code seconds} and was ended
   * @param busy share of the machine's processors that were busy meanwhile, 0 to 1
   * @param load threads that ran or waited for a processor over the last minute
   * @param note what it said about its way, or why it failed
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

  /** Names the path in result files. */
  String key() {
    return path.name();
  }
}
