package io.cascade.studies.study;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;

/**
 * Folder of a study's page, with its results below.
 *
 * @param name of the page's file, without its ending
 */
public record StudyFolder(Path path, String name) {
  private Path raw() {
    return RawResults.of(path);
  }

  /** The study's results. */
  public <R> JsonLines<R> results(Class<R> type, Function<R, String> key) {
    return results(name, type, key);
  }

  /** Results of another file. */
  public <R> JsonLines<R> results(String file, Class<R> type, Function<R, String> key) {
    return new JsonLines<>(raw().resolve(file + ".jsonl"), type, key);
  }

  /** A file beside the results. */
  public Path beside(String ending) {
    return raw().resolve(name + ending);
  }

  /** Notes that this machine measures. */
  public void measuredHere() throws IOException {
    MachineNote.of(raw(), name).write();
  }

  /** The machine that measured, in a sentence; empty where none was noted. */
  public String machine() throws IOException {
    return MachineNote.of(raw(), name).words();
  }

  /** The page's file. */
  public Path page() {
    return path.resolve(name + ".md");
  }

  /** Writes the page and its pictures. */
  public void write(Page page) throws IOException {
    page.writeMarkdown(path, name);
  }
}
