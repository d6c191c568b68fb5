package io.cascade.studies.study;

import io.cascade.api.Json;
import io.cascade.lab.process.Machine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Folder of a study's page, with a folder of results in it.
 *
 * @param name of the page's file, without its ending
 */
public record StudyFolder(Path path, String name) {

  /** The study's results. */
  public <R> JsonLines<R> results(Class<R> type, Function<R, String> key) {
    return results(name, type, key);
  }

  /** Results of another file. */
  public <R> JsonLines<R> results(String file, Class<R> type, Function<R, String> key) {
    return new JsonLines<>(RawResults.of(path).resolve(file + ".jsonl"), type, key);
  }

  /** A file beside the results. */
  public Path beside(String ending) {
    return RawResults.of(path).resolve(name + ending);
  }

  private Path machineNote() {
    return beside(".machine.json");
  }

  /** Creates the folder of results before the measurement, so that an error is reported early. */
  public void make() throws IOException {
    Files.createDirectories(RawResults.of(path));
  }

  /** Records this machine as the one that measured the results from now on. */
  public void measuredHere() {
    Path note = machineNote();
    try {
      make();
      Files.writeString(note, Json.lenient().writeValueAsString(Machine.here()) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(note + ": cannot be written", e);
    }
  }

  /** The machine that measured, as a sentence; empty if none was recorded. */
  public String machine() throws IOException {
    Path note = machineNote();
    return Files.exists(note)
        ? Json.lenient().readValue(Files.readString(note), Machine.class).words()
        : "";
  }

  /** The page's file. */
  public Path page() {
    return path.resolve(name + ".md");
  }

  /** Writes the page and its images. */
  public void write(Page page) throws IOException {
    page.writeMarkdown(path, name);
  }
}
