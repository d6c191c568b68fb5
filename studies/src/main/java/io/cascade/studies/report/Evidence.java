package io.cascade.studies.report;

import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Claim;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.Forecast;
import io.cascade.studies.experiment.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An experiment's cells with their results.
 *
 * @param results by cell, without those that failed
 * @param failed runs that do not count
 * @param machine that measured, as a sentence
 */
public record Evidence(
    Experiment experiment, Map<Cell, List<Result>> results, List<Result> failed, String machine) {

  /** Assigns results to their cells; results without a cell are dropped. */
  public static Evidence of(Experiment experiment, List<Result> all, String machine) {
    Map<String, List<Result>> byCell = new LinkedHashMap<>();
    List<Result> failed = new ArrayList<>();
    for (Result result : all) {
      if (result.failure() != null) {
        failed.add(result);
      } else {
        byCell
            .computeIfAbsent(
                result.key().substring(0, result.key().lastIndexOf(" #")), _ -> new ArrayList<>())
            .add(result);
      }
    }
    Map<Cell, List<Result>> results = new LinkedHashMap<>();
    for (Cell cell : experiment.cells()) {
      results.put(cell, List.copyOf(byCell.getOrDefault(cell.key(), List.of())));
    }
    return new Evidence(experiment, results, List.copyOf(failed), machine);
  }

  /** The results of one cell. */
  public List<Result> of(Cell cell) {
    return results.getOrDefault(cell, List.of());
  }

  /** A figure over a cell's runs; empty if nothing was measured. */
  public Optional<Sample> sample(Cell cell, Claim.Figure figure) {
    List<Double> values =
        of(cell).stream()
            .map(result -> value(cell, result, figure))
            .filter(Objects::nonNull)
            .toList();
    return values.isEmpty() ? Optional.empty() : Optional.of(new Sample(values));
  }

  private static @Nullable Double value(Cell cell, Result result, Claim.Figure figure) {
    Result.Setup setup = result.setup();
    return switch (figure) {
      case GOODPUT -> result.bitsPerSecond() / 1e6;
      case UTILISATION -> 100 * result.bitsPerSecond() / cell.bitsPerSecond();
      case SECONDS -> result.seconds();
      case TOTAL ->
          result.seconds() == null
              ? null
              : Double.valueOf(
                  result.seconds() + (setup == null ? 0 : setup.elapsedMillis() / 1e3));
      case SETUP -> setup == null ? null : Double.valueOf(setup.elapsedMillis());
      case HELD -> heldMebibytes(result);
    };
  }

  /** Largest number of bytes if the queue was sampled, otherwise their memory. */
  private static @Nullable Double heldMebibytes(Result result) {
    List<Long> held =
        result.queue().isEmpty()
            ? result.heldBytes()
            : result.queue().stream().map(Result.Held::heldBytes).toList();
    if (held.isEmpty()) {
      return null;
    }
    return Collections.max(held) / 1048576.0;
  }

  /** Value of the corrected model for a figure; NaN if it has none. */
  public static double corrected(Cell cell, Claim.Figure figure) {
    Forecast forecast = new Forecast(cell);
    return switch (figure) {
      case GOODPUT -> forecast.bitsPerSecond() / 1e6;
      case UTILISATION -> 100 * forecast.bitsPerSecond() / cell.bitsPerSecond();
      case SECONDS -> cell.bytes().isEmpty() ? Double.NaN : forecast.seconds();
      case TOTAL -> cell.bytes().isEmpty() ? Double.NaN : forecast.totalSeconds();
      case SETUP -> 1e3 * forecast.setupSeconds();
      case HELD -> Double.NaN;
    };
  }

  /** Value of the published equations for a figure; NaN if they have none. */
  public static double published(Cell cell, Claim.Figure figure) {
    Forecast forecast = new Forecast(cell);
    return switch (figure) {
      case GOODPUT -> forecast.publishedBitsPerSecond() / 1e6;
      case UTILISATION -> 100 * forecast.publishedBitsPerSecond() / cell.bitsPerSecond();
      case SECONDS, TOTAL -> cell.bytes().isEmpty() ? Double.NaN : forecast.publishedSeconds();
      case SETUP -> 1e3 * forecast.publishedSetupSeconds();
      case HELD -> Double.NaN;
    };
  }

  /** Number of runs. */
  public int runs() {
    return results.values().stream().mapToInt(List::size).sum();
  }
}
