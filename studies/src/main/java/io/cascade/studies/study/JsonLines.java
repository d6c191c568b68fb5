package io.cascade.studies.study;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JacksonException;

/**
 * Results as lines of JSON. They are appended at once, so that no measurement is lost.
 *
 * @param <T> a record
 */
public final class JsonLines<T> implements Runner.Results<T> {
  private final Path file;
  private final Class<T> type;
  private final Function<T, String> key;

  /**
   * @param key of a result; a later result replaces an earlier one with the same key
   */
  public JsonLines(Path file, Class<T> type, Function<T, String> key) {
    this.file = file;
    this.type = type;
    this.key = key;
  }

  /** Reads the results; of several with one key it returns the last. */
  public List<T> read() {
    return List.copyOf(byKey().values());
  }

  @Override
  public Map<String, T> byKey() {
    if (!Files.exists(file)) {
      return Map.of();
    }
    Map<String, T> results = new LinkedHashMap<>();
    try {
      List<String> lines = Files.readAllLines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).isBlank()) {
          continue;
        }
        try {
          T result = Json.lenient().readValue(lines.get(i), type);
          results.put(key.apply(result), result);
        } catch (JacksonException e) {
          // An incomplete last line belongs to a run that was interrupted, which is repeated.
          if (i < lines.size() - 1) {
            throw new CommandException(file + ":" + (i + 1) + ": not a result; delete the line", e);
          }
        }
      }
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
    return results;
  }

  @Override
  public synchronized void append(T result) {
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

  /** Removes an incomplete last line, which belongs to a run that was interrupted. */
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
}
