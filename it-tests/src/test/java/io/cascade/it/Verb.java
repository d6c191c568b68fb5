package io.cascade.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One verb of Cascade, run as a user's shell would run it: a process of its own. */
final class Verb implements AutoCloseable {
  /** Bound for a verb that hangs, far above what any takes on a busy machine. */
  private static final long PATIENCE_SECONDS = 150;

  private static final long CLOSING_SECONDS = 60;

  private final Process process;
  private final List<String> output = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final CompletableFuture<List<String>> ended = new CompletableFuture<>();

  private record Waiting(Pattern line, CompletableFuture<Matcher> found) {}

  private Verb(Process process) {
    this.process = process;
    Thread.ofPlatform().daemon().name("output of " + process.pid()).start(this::read);
  }

  /** Starts a verb; both of its outputs are read together. */
  static Verb start(Path folder, String... arguments) {
    return start(folder, List.of(), arguments);
  }

  /**
   * @param before the command that runs the launcher, such as unshare with its options
   */
  static Verb start(Path folder, List<String> before, String... arguments) {
    List<String> command = new ArrayList<>(before);
    command.add(LauncherWithCaches.LAUNCHER.toString());
    return run(folder, command, arguments);
  }

  /** Starts a verb of another build. */
  static Verb by(Path launcher, Path folder, String... arguments) {
    return run(folder, new ArrayList<>(List.of(launcher.toString())), arguments);
  }

  private static Verb run(Path folder, List<String> command, String... arguments) {
    try {
      command.addAll(List.of(arguments));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      // Of this environment, only what the module's pom sets for the launcher.
      builder
          .environment()
          .keySet()
          .removeIf(name ->
              name.startsWith("CASCADE_")
                  && !name.equals("CASCADE_JAVA_OPTS")
                  && !name.equals("CASCADE_NO_BUILD"));
      builder.environment().put("XDG_CONFIG_HOME", folder.toString());
      builder.environment().put("XDG_STATE_HOME", folder.toString());
      return new Verb(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for a line of its output. */
  Matcher awaitLine(String pattern) throws Exception {
    CompletableFuture<Matcher> found = new CompletableFuture<>();
    Pattern wanted = Pattern.compile(pattern);
    synchronized (output) {
      for (String line : output) {
        Matcher match = wanted.matcher(line);
        if (match.find()) {
          return match;
        }
      }
      waiting.add(new Waiting(wanted, found));
    }
    try {
      CompletableFuture.anyOf(found, ended).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(
          "no line '%s' within %d s:\n%s".formatted(pattern, PATIENCE_SECONDS, text()), e);
    }
    if (!found.isDone()) {
      throw new AssertionError("ended without '" + pattern + "':\n" + text());
    }
    return found.get();
  }

  /** Waits for its end; its exit code. */
  int await() throws Exception {
    ended.get(8, TimeUnit.MINUTES);
    return process.waitFor();
  }

  boolean running() {
    return process.isAlive();
  }

  String text() {
    synchronized (output) {
      return String.join("\n", output);
    }
  }

  long pid() {
    return process.pid();
  }

  /** Resident memory now, as the kernel counts it. */
  long residentBytes() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1_024;
      }
    }
    throw new IOException("no VmRSS of " + pid());
  }

  /** SIGKILL: no chance to say goodbye. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends a signal, such as STOP. */
  void signal(String name) throws IOException, InterruptedException {
    int _ = new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
  }

  @Override
  public void close() {
    process.destroy();
    try {
      // The first of its kind writes down its classes before it ends.
      if (!process.waitFor(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader()) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        seen(line);
      }
    } catch (IOException e) {
      // killed while we read: its end says enough
    }
    ended.complete(output);
  }

  private void seen(String line) {
    synchronized (output) {
      output.add(line);
      for (Waiting one : waiting) {
        Matcher match = one.line().matcher(line);
        if (match.find()) {
          one.found().complete(match);
        }
      }
    }
  }
}
