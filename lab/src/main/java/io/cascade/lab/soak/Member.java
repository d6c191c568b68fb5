package io.cascade.lab.soak;

import io.cascade.client.demo.CascadeCommand;
import io.cascade.command.CommandException;
import io.cascade.lab.process.LiveHeap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** An orchestrator or a relay in a process of its own, which can be killed and started anew. */
public final class Member implements AutoCloseable {
  private static final Duration START = Duration.ofMinutes(4);
  private static final int GRACE_SECONDS = 10;
  private static final int LOOK_MILLIS = 20;

  private final CascadeCommand cascade;
  private final Pattern readyLine;
  private final Path log;
  private final String[] arguments;
  private Process process;

  private Member(
      CascadeCommand cascade, Pattern readyLine, Path log, String[] arguments, Process process) {
    this.cascade = cascade;
    this.readyLine = readyLine;
    this.log = log;
    this.arguments = arguments;
    this.process = process;
  }

  public static Member start(
      CascadeCommand cascade, Pattern readyLine, Path log, String... arguments) throws IOException {
    return new Member(cascade, readyLine, log, arguments, launch(cascade, log, arguments));
  }

  private static Process launch(CascadeCommand cascade, Path log, String[] arguments)
      throws IOException {
    return cascade
        .verb(arguments)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.to(log.toFile()))
        .start();
  }

  /** Returns the match of the line by which the member said that it serves. */
  public Matcher awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START.toNanos();
    while (System.nanoTime() < deadline) {
      Matcher ready = readyLine.matcher(Files.readString(log));
      if (ready.find()) {
        return ready;
      }
      if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    throw new CommandException(arguments[0] + " did not start; its log: " + Files.readString(log));
  }

  /** SIGKILL, and once more from the beginning. */
  void killAndStart() throws IOException, InterruptedException {
    kill();
    process = launch(cascade, log, arguments);
  }

  /** SIGTERM, the end that follows of it, and once more from the beginning. */
  void stopAndStart() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
      throw new CommandException(arguments[0] + " does not end; its log: " + Files.readString(log));
    }
    process = launch(cascade, log, arguments);
  }

  /** SIGKILL. */
  public void kill() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }

  /** Stops it where it stands, without a word to anybody, or lets it go on. */
  void pause(boolean now) throws IOException, InterruptedException {
    for (ProcessHandle one :
        Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList()) {
      new ProcessBuilder("kill", now ? "-STOP" : "-CONT", Long.toString(one.pid()))
          .start()
          .waitFor();
    }
  }

  /** Processor time that it has used so far, zero once it has ended. */
  public Duration processorTime() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Bytes of the member's heap in use after a collection, which asking sets off; 0 where unknown.
   */
  long liveHeapBytes() throws InterruptedException {
    try {
      return (long) LiveHeap.bytes(List.of(process)).orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  /** Memory and descriptors now, as the kernel counts them. */
  Vitals vitals() {
    Path proc = Path.of("/proc", Long.toString(process.pid()));
    try (Stream<String> status = Files.lines(proc.resolve("status"));
        Stream<Path> descriptors = Files.list(proc.resolve("fd"))) {
      long kibibytes =
          status
              .filter(line -> line.startsWith("VmRSS:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .findFirst()
              .orElse(0);
      return new Vitals(kibibytes * 1_024, descriptors.count());
    } catch (IOException e) {
      return new Vitals(0, 0); // being killed just now
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Resources of a process. */
  record Vitals(long residentBytes, long descriptors) {
    Vitals most(Vitals other) {
      return new Vitals(
          Math.max(residentBytes, other.residentBytes), Math.max(descriptors, other.descriptors));
    }
  }
}
