package io.cascade.testbed.experiment;

import io.cascade.api.Json;
import io.cascade.command.Complaint;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Results as JSON lines, appended as they come, so that nothing measured is lost. */
public final class ResultFile {
  private final Path file;

  public ResultFile(Path file) {
    this.file = file;
  }

  /** What is there; of several results of one run the last. */
  public List<Result> read() {
    if (!Files.exists(file)) {
      return List.of();
    }
    Map<String, Result> results = new LinkedHashMap<>();
    try {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).isBlank()) {
          continue;
        }
        try {
          Result result = Json.lenient().readValue(lines.get(i), Result.class);
          results.put(result.key(), result);
        } catch (JacksonException e) {
          // A run that was cut off while it was written is a run to be repeated.
          if (i < lines.size() - 1) {
            throw new Complaint(file + ":" + (i + 1) + ": not a result; delete the line", e);
          }
        }
      }
    } catch (IOException e) {
      throw new Complaint(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
    return List.copyOf(results.values());
  }

  /** Adds one at the end. */
  public synchronized void append(Result result) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      byte[] line =
          (Json.lenient().writeValueAsString(result) + "\n").getBytes(StandardCharsets.UTF_8);
      dropWhatWasCutOff();
      Files.write(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(file + ": cannot be written", e);
    }
  }

  /** A last line without its end is of a run that was cut off while it was written. */
  private void dropWhatWasCutOff() throws IOException {
    if (!Files.exists(file)) {
      return;
    }
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      long end = bytes.length();
      while (end > 0) {
        bytes.seek(end - 1);
        if (bytes.read() == '\n') {
          break;
        }
        end--;
      }
      bytes.setLength(end);
    }
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
