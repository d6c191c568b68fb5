package io.cascade.testbed.rivals;

import io.cascade.command.CommandException;
import io.cascade.testbed.lab.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Another project's program at a site. Ends with its lab. */
final class Program implements AutoCloseable {
  private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

  private final Process process;
  private final Path log;

  /**
   * Starts it.
   *
   * @param folder of its settings and of the file with what it says
   * @param name of that file
   */
  Program(
      Site site, List<String> command, Map<String, String> environment, Path folder, String name)
      throws IOException {
    log = folder.resolve(name + ".log");
    ProcessBuilder builder = site.process(command);
    builder.environment().putAll(environment);
    builder.environment().put("HOME", folder.toString());
    process =
        builder
            .directory(folder.toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
  }

  /**
   * Waits until it says something that matches.
   *
   * @throws CommandException where it ends, or the time is over, before
   */
  void awaitSaid(Pattern pattern, Duration patience) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (!pattern.matcher(Files.readString(log)).find()) {
      if (!process.isAlive() || System.nanoTime() - start > patience.toNanos()) {
        throw new CommandException(lastWords());
      }
      process.waitFor(POLL_NANOS, TimeUnit.NANOSECONDS);
    }
  }

  /**
   * Waits for its end.
   *
   * @throws Mover.CutOff where that does not come in time
   * @throws CommandException where it failed
   */
  void awaitEnd(long deadlineNanos) throws IOException, InterruptedException, Mover.CutOff {
    if (!process.waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw new Mover.CutOff();
    }
    if (process.exitValue() != 0) {
      throw new CommandException(lastWords());
    }
  }

  private String lastWords() throws IOException {
    List<String> lines = Files.readString(log).strip().lines().toList();
    return lines.isEmpty() ? "said nothing" : lines.getLast().strip();
  }

  /** Ends it where it has not ended. */
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
