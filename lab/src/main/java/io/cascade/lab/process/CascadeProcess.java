package io.cascade.lab.process;

import io.cascade.command.CommandException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An orchestrator, a relay or another part of Cascade in a separate process, which can be killed
 * and restarted. Its output is written to a log; a line of it says that the part serves.
 */
public final class CascadeProcess implements AutoCloseable {
  /** Line of an orchestrator that serves; group 1 is its URL. */
  public static final Pattern ORCHESTRATOR_READY =
      Pattern.compile("cascade orchestrator ready at (http\\S+)");

  /**
   * Line of a relay that serves: name, URL of the control endpoint, address for hops as groups 1 to
   * 3.
   */
  public static final Pattern RELAY_READY =
      Pattern.compile("cascade relay (\\S+) ready: control ([^\\s,]+), hop ([^\\s,]+)");

  private static final Duration START = Duration.ofMinutes(4);
  private static final int GRACE_SECONDS = 10;
  private static final long LOOK_NANOS = Duration.ofMillis(20).toNanos();
  private static final int TAIL_LINES = 15;

  private final String name;
  private final ProcessBuilder command;
  private final Path log;
  private final Pattern readyLine;
  private volatile Process process;
  private boolean isClosed;

  private CascadeProcess(String name, ProcessBuilder command, Path log, Pattern readyLine) {
    this.name = name;
    this.command =
        command
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    this.log = log;
    this.readyLine = readyLine;
    this.process = launch();
  }

  private synchronized Process launch() {
    if (isClosed) {
      throw new CommandException(name + " is closed");
    }
    try {
      return command.start();
    } catch (IOException e) {
      throw new CommandException("cannot start " + name + ": " + e.getMessage(), e);
    }
  }

  /**
   * Starts a part; {@link #awaitReady} is called separately, so that several start at the same
   * time.
   *
   * @param readyLine that it prints when it serves
   */
  public static CascadeProcess start(
      String name, ProcessBuilder command, Path log, Pattern readyLine) {
    return new CascadeProcess(name, command, log, readyLine);
  }

  /**
   * Starts an orchestrator on loopback, whose state and log are in a folder. Its ready line has the
   * URL at which it serves as group 1.
   *
   * @param listen host and port; port 0 for any free port
   */
  public static CascadeProcess orchestrator(CascadeCommand cascade, Path folder, String listen) {
    String state = folder.resolve("state").toString();
    return start(
        "orchestrator",
        cascade.verb("orchestrator", "--listen", listen, "--state-dir", state),
        folder.resolve("orchestrator.log"),
        ORCHESTRATOR_READY);
  }

  /**
   * Starts a relay on loopback with free ports, whose files and log are in a folder. Its ready line
   * has name, URL of the control endpoint and address for hops as groups 1 to 3.
   *
   * @param options additional options
   */
  public static CascadeProcess relay(
      CascadeCommand cascade, Path folder, String name, URI orchestrator, List<String> options) {
    List<String> arguments = new ArrayList<>(List.of("relay", "--name", name));
    arguments.addAll(List.of("--orchestrator", orchestrator.toString()));
    arguments.addAll(List.of("--hop-port", "0", "--control-port", "0"));
    arguments.addAll(List.of("--identity", folder.resolve(name + ".identity").toString()));
    arguments.addAll(List.of("--spool-dir", folder.resolve("spool-" + name).toString()));
    arguments.addAll(options);
    return start(
        name,
        cascade.verb(arguments.toArray(String[]::new)),
        folder.resolve(name + ".log"),
        RELAY_READY);
  }

  /**
   * Waits until the part serves.
   *
   * @return the match of its ready line
   * @throws CommandException with the end of its log where it ends, or does not serve in four
   *     minutes
   */
  public Matcher awaitReady() {
    return awaitReady(name, process, log, readyLine);
  }

  /** The same for a process that another class has started. */
  public static Matcher awaitReady(String name, Process process, Path log, Pattern readyLine) {
    long deadline = System.nanoTime() + START.toNanos();
    while (true) {
      // Checked before the log is read, which is complete if the process has ended.
      boolean isAlive = process.isAlive();
      Matcher ready = readyLine.matcher(said(log));
      if (ready.find()) {
        return ready;
      }
      if (!isAlive) {
        throw new CommandException(ended(name, process, log));
      }
      if (System.nanoTime() > deadline) {
        throw new CommandException(
            "%s was not ready within %d s: %s".formatted(name, START.toSeconds(), tail(log)));
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new CommandException("interrupted");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static String ended(String name, Process process, Path log) {
    return "%s ended with exit code %d: %s".formatted(name, process.exitValue(), tail(log));
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "";
    }
  }

  /** The end of its log, on one line. */
  public String tail() {
    return tail(log);
  }

  private static String tail(Path log) {
    List<String> lines = said(log).strip().lines().toList();
    return String.join(" | ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
  }

  public String name() {
    return name;
  }

  /** The present process; another one after a restart. */
  public Process process() {
    return process;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Checks that it has not ended by itself.
   *
   * @throws CommandException with the end of its log where it has ended
   */
  public void checkAlive() {
    if (!process.isAlive()) {
      throw new CommandException(ended(name, process, log));
    }
  }

  /** Sends SIGKILL. */
  public void kill() throws InterruptedException {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
  }

  /**
   * Sends SIGKILL, and starts it again.
   *
   * @throws CommandException where it was closed meanwhile
   */
  public void killAndStart() throws InterruptedException {
    kill();
    launchAgain();
  }

  /** Sends SIGTERM, waits for its end, and starts it again. */
  public void stopAndStart() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
      throw new CommandException(name + " does not end: " + tail());
    }
    launchAgain();
  }

  private synchronized void launchAgain() {
    process = launch();
  }

  /** Sends SIGSTOP, or SIGCONT. */
  public void pause(boolean now) throws IOException, InterruptedException {
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

  /** Sends SIGTERM; {@link #close} waits for the end. */
  public void stop() {
    process.destroy();
  }

  /** Sends SIGTERM, then SIGKILL; it does not start again. Thread-safe. */
  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    stop();
    try {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
