package io.cascade.studies.experiment;

import io.cascade.studies.study.JsonLines;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Results as JSON lines, appended as they come, so that nothing measured is lost. */
public final class ResultFile {
  private final JsonLines<Result> lines;

  public ResultFile(Path file) {
    this.lines = new JsonLines<>(file, Result.class, Result::key);
  }

  /** Reads the results; of several of one run the last. */
  public List<Result> read() {
    return lines.read();
  }

  /** Results by the keys of their runs. */
  public Map<String, Result> byKey() {
    return lines.byKey();
  }

  /** Adds one at the end. */
  public void append(Result result) {
    lines.append(result);
  }

  /** The same as a table for other programs: a column an input, one row a run. */
  public static String csv(List<Result> results) {
    Set<String> inputs = new LinkedHashSet<>();
    results.forEach(result -> inputs.addAll(result.inputs().keySet()));
    List<String> header = new ArrayList<>(List.of("experiment", "sweep"));
    header.addAll(inputs);
    header.addAll(
        List.of(
            "repetition",
            "seed",
            "at",
            "goodput_bit_per_s",
            "whole_bit_per_s",
            "seconds",
            "bytes",
            "connected_s",
            "first_byte_s",
            "setup_ms",
            "setup_sequential_ms",
            "held_bytes",
            "lost_packets",
            "dropped_packets",
            "failure",
            "beside_bit_per_s"));
    StringBuilder csv = new StringBuilder(String.join(",", header)).append('\n');
    for (Result result : results) {
      List<String> row = new ArrayList<>(List.of(result.experiment(), result.sweep()));
      inputs.forEach(input -> row.add(result.inputs().getOrDefault(input, "")));
      row.add(String.valueOf(result.repetition()));
      row.add(String.valueOf(result.seed()));
      row.add(result.at());
      row.add(String.format(Locale.ROOT, "%.0f", result.bitsPerSecond()));
      row.add(String.format(Locale.ROOT, "%.0f", result.wholeBitsPerSecond()));
      row.add(number(result.seconds()));
      row.add(String.valueOf(result.bytes()));
      row.add(number(result.connectedSeconds()));
      row.add(number(result.firstByteSeconds()));
      Result.Setup setup = result.setup();
      row.add(setup == null ? "" : number(setup.elapsedMillis()));
      row.add(setup == null ? "" : number(setup.sequentialMillis()));
      row.add(
          String.valueOf(result.heldBytes().stream().mapToLong(Long::longValue).max().orElse(0)));
      row.add(String.valueOf(result.links().stream().mapToLong(Result.LinkCount::lost).sum()));
      row.add(String.valueOf(result.links().stream().mapToLong(Result.LinkCount::dropped).sum()));
      row.add(result.failure() == null ? "" : result.failure());
      row.add(number(result.besideBitsPerSecond()));
      csv.append(String.join(",", row.stream().map(ResultFile::quoted).toList())).append('\n');
    }
    return csv.toString();
  }

  private static String number(@Nullable Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.4f", value);
  }

  private static String quoted(String cell) {
    return cell.contains(",") || cell.contains("\"") || cell.contains("\n")
        ? '"' + cell.replace("\"", "\"\"") + '"'
        : cell;
  }
}
