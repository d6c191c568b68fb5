package io.cascade.studies.measured;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** A Cascade verb at a site, with its output and its messages to the user. */
public final class VerbRun {
  private static final long POLL_NANOS = Duration.ofMillis(100).toNanos();
  private static final int MOST_NOTES = 12;

  private final Path printed;
  private final Path log;
  private final Process process;
  private final long startNanos = System.nanoTime();
  private long endNanos;
  private final List<PathResult.Note> notes = new ArrayList<>();

  /**
   * Starts the verb.
   *
   * @param name of its files in the folder, which are overwritten
   */
  public VerbRun(Site site, List<String> verb, Path folder, String name) {
    printed = folder.resolve(name + ".out");
    log = folder.resolve(name + ".log");
    try {
      process =
          site.verb(verb).redirectOutput(printed.toFile()).redirectError(log.toFile()).start();
    } catch (IOException e) {
      throw new CommandException("cannot start " + verb.getFirst() + ": " + e.getMessage(), e);
    }
  }

  /**
   * Starts a {@code send}.
   *
   * @param site of the sender
   * @param to HOST:PORT of a receiver that accepts unauthenticated senders
   * @param options further options
   */
  public static VerbRun send(Lab lab, String site, Path file, String to, List<String> options) {
    List<String> verb =
        new ArrayList<>(List.of("send", "--no-progress", file.toString(), "--to", to));
    verb.addAll(options);
    return new VerbRun(lab.site(site), verb, lab.folder(), "send");
  }

  /**
   * Waits until the verb prints a line that matches.
   *
   * @throws CommandException if it ends, or the time expires, before
   */
  public void awaitSaid(Pattern pattern, Duration patience) throws InterruptedException {
    while (!pattern.matcher(said()).find()) {
      if (!process.isAlive() || System.nanoTime() - startNanos > patience.toNanos()) {
        throw new CommandException(lastWords());
      }
      process.waitFor(POLL_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Waits until the verb has ended successfully.
   *
   * @return its document
   * @throws CommandException with the last line of its output; the verb has ended then
   */
  public <T> T await(Class<T> type, Duration patience) throws InterruptedException {
    String document = awaitPrinted(patience);
    try {
      return Json.lenient().readValue(document, type);
    } catch (JacksonException e) {
      throw new CommandException("left no document: " + e.getMessage(), e);
    }
  }

  /**
   * Waits until the verb has ended successfully.
   *
   * @return its output
   * @throws CommandException with the last line of its output; the verb has ended then
   */
  public String awaitPrinted(Duration patience) throws InterruptedException {
    try {
      while (!process.waitFor(POLL_NANOS, TimeUnit.NANOSECONDS)) {
        note();
        if (System.nanoTime() - startNanos > patience.toNanos()) {
          throw new CommandException("took longer than " + patience.toSeconds() + " s");
        }
      }
      endNanos = System.nanoTime();
      note();
      if (process.exitValue() != 0) {
        throw new CommandException(lastWords());
      }
      return Files.readString(printed);
    } catch (IOException e) {
      throw new CommandException("left nothing: " + e.getMessage(), e);
    } finally {
      end();
    }
  }

  private void end() {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }

  /** Messages of the verb to its user, with times. */
  List<PathResult.Note> notes() {
    return List.copyOf(notes);
  }

  /** Time since the start of the verb, or its duration if it has ended. */
  public double seconds() {
    return ((endNanos == 0 ? System.nanoTime() : endNanos) - startNanos) / 1e9;
  }

  private void note() {
    List<String> lines = said().lines().toList();
    for (int i = notes.size(); i < Math.min(lines.size(), MOST_NOTES); i++) {
      notes.add(new PathResult.Note(Math.round(10 * seconds()) / 10.0, lines.get(i)));
    }
  }

  private String lastWords() {
    List<String> lines = said().strip().lines().toList();
    return lines.isEmpty() ? "said nothing" : lines.getLast();
  }

  private String said() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return ""; // The last line is incomplete; the next call returns it.
    }
  }
}
