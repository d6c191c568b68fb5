package io.cascade.client.demo;

import io.cascade.command.CommandException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One process of the demonstration. What it prints goes to its log; the line by which it says that
 * it serves is picked out on the way.
 */
final class Part implements AutoCloseable {
  private static final int TAIL_LINES = 15;
  private static final Duration GRACE = Duration.ofSeconds(5);

  private final String name;
  private final Process process;
  private final Path log;
  private final CompletableFuture<Matcher> ready = new CompletableFuture<>();

  private Part(String name, Process process, Path log) {
    this.name = name;
    this.process = process;
    this.log = log;
  }

  /**
   * @param readyLine what it prints when it serves
   */
  static Part start(String name, ProcessBuilder command, Path log, Pattern readyLine) {
    try {
      Process process = command.redirectErrorStream(true).start();
      Part part = new Part(name, process, log);
      Thread.ofPlatform().daemon().name(name + "-log").start(() -> part.copyLog(readyLine));
      return part;
    } catch (IOException e) {
      throw new CommandException("cannot start " + name + ": " + e.getMessage(), e);
    }
  }

  private void copyLog(Pattern readyLine) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        PrintWriter copy = new PrintWriter(Files.newBufferedWriter(log), true)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        copy.println(line);
        Matcher match = readyLine.matcher(line);
        if (match.find()) {
          ready.complete(match);
        }
      }
    } catch (IOException e) {
      // The process is gone, or the disk is full; the process's own end says more.
    } finally {
      ready.completeExceptionally(new IllegalStateException("ended"));
    }
  }

  /** Returns the match of the line by which the part became ready. */
  Matcher awaitReady(Duration patience) throws InterruptedException {
    try {
      return ready.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new CommandException(
          name + " was not ready within " + patience.toSeconds() + " s." + tail());
    } catch (ExecutionException e) {
      process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
      throw new CommandException(died());
    }
  }

  /** Throws where the process is no longer there. */
  void checkAlive() {
    if (!process.isAlive()) {
      throw new CommandException(died());
    }
  }

  CompletableFuture<Process> onExit() {
    return process.onExit();
  }

  private String died() {
    String code = process.isAlive() ? "" : " with exit code " + process.exitValue();
    return name + " ended" + code + "." + tail();
  }

  /** A sentence about its log, and the log's end on the lines that follow. */
  String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      List<String> last = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
      return " The end of its log is above; --keep-files leaves all of it\n%s:\n  %s"
          .formatted(log, String.join("\n  ", last));
    } catch (IOException e) {
      return " It left no log.";
    }
  }

  String name() {
    return name;
  }

  long pid() {
    return process.pid();
  }

  /** Asks it to end; {@link #close} waits and insists. */
  void stop() {
    process.destroy();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
