package io.cascade.studies.experiment;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Values of a run so far, so that a run that fails half way keeps those that it has. */
final class Findings {
  double connectedSeconds;
  @Nullable Double firstByteSeconds;
  @Nullable Double seconds;
  long bytes;
  @Nullable Double steadyBitsPerSecond;
  double wholeBitsPerSecond;
  Result.@Nullable Setup setup;
  List<Result.LinkCount> links = List.of();
  List<Long> heldBytes = List.of();
  List<Result.Held> queue = List.of();
  @Nullable String failure;
  @Nullable Double besideBitsPerSecond;

  /**
   * The result of the run.
   *
   * @param seed of the emulated links
   * @param at time at which the run began, ISO 8601
   */
  Result result(String experiment, Run run, long seed, String at) {
    return new Result(
        run.key(),
        experiment,
        run.cell().sweep(),
        run.cell().inputs(),
        run.repetition(),
        seed,
        at,
        connectedSeconds,
        firstByteSeconds,
        seconds,
        bytes,
        steadyBitsPerSecond,
        wholeBitsPerSecond,
        setup,
        links,
        heldBytes,
        queue,
        failure,
        besideBitsPerSecond);
  }
}
