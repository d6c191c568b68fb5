package io.cascade.studies.rivals;

import io.cascade.command.CommandException;
import io.cascade.lab.Site;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that runs beside this one, with its output in a file. A program at a site ends with its
 * lab.
 */
public final class Program implements AutoCloseable {
  private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

  private final Process process;
  private final Path log;
  private Duration processorTime = Duration.ZERO;

  /**
   * Starts a program at a site.
   *
   * @param folder for its settings and its output
   * @param name of the file with its output
   */
  public Program(
      Site site, List<String> command, Map<String, String> environment, Path folder, String name)
      throws IOException {
    this(builder(site, command, environment, folder), folder.resolve(name + ".log"));
  }

  /**
   * Starts a program with empty standard input.
   *
   * @param log receives its output
   */
  public Program(ProcessBuilder builder, Path log) throws IOException {
    this.log = log;
    process =
        builder
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
  }

  /**
   * Starts a program that reads the output of another one.
   *
   * @param log receives the output of the second program
   */
  public Program(ProcessBuilder writer, ProcessBuilder reader, Path log) throws IOException {
    this.log = log;
    process =
        ProcessBuilder.startPipeline(
                List.of(
                    writer.redirectError(ProcessBuilder.Redirect.DISCARD),
                    reader
                        .redirectInput(ProcessBuilder.Redirect.PIPE)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())))
            .getLast();
  }

  private static ProcessBuilder builder(
      Site site, List<String> command, Map<String, String> environment, Path folder) {
    ProcessBuilder builder = site.process(command);
    builder.environment().putAll(environment);
    builder.environment().put("HOME", folder.toString());
    return builder.directory(folder.toFile());
  }

  /** Whether a command of that name is in the search path. */
  public static boolean isOnPath(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /**
   * Waits until the program prints a line that matches.
   *
   * @return the match
   * @throws CommandException if it ends, or the time expires, before
   */
  public MatchResult awaitSaid(Pattern pattern, Duration patience)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Matcher said = pattern.matcher(Files.readString(log));
    while (!said.find()) {
      if (!process.isAlive() || System.nanoTime() - start > patience.toNanos()) {
        throw new CommandException(lastWords());
      }
      process.waitFor(POLL_NANOS, TimeUnit.NANOSECONDS);
      said = pattern.matcher(Files.readString(log));
    }
    return said;
  }

  /**
   * Waits for the program's end.
   *
   * @throws Mover.CutOff if it does not end in time
   * @throws Mover.CutOff if it does not end in time
   */
  public void awaitEnd(long deadlineNanos) throws IOException, InterruptedException, Mover.CutOff {
    if (!process.waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw new Mover.CutOff();
    }
    if (process.exitValue() != 0) {
      throw new CommandException(lastWords());
    }
  }

  /** The exit code; empty while the program runs. */
  public OptionalInt exit() {
    return process.isAlive() ? OptionalInt.empty() : OptionalInt.of(process.exitValue());
  }

  /** Reads the processor time that the program has used; without effect once it has ended. */
  public void readProcessorTime() {
    process.info().totalCpuDuration().ifPresent(time -> processorTime = time);
  }

  /** Processor time of the last {@link #readProcessorTime}. */
  public Duration processorTime() {
    return processorTime;
  }

  /** Kills the program and the processes that it started by SIGKILL. */
  public void kill() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }

  /** The last line of its output. */
  public String lastWords() throws IOException {
    List<String> lines = Files.readString(log).strip().lines().toList();
    return lines.isEmpty() ? "said nothing" : lines.getLast().strip();
  }

  /** Kills the program if it has not ended. */
  @Override
  public void close() {
    process.destroy();
    process
        .onExit()
        .orTimeout(2, TimeUnit.SECONDS)
        .exceptionally(_ -> process.destroyForcibly())
        .join();
  }
}
