package io.cascade.studies.tunnel;

import io.cascade.command.CommandException;
import io.cascade.lab.Site;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** {@code cascade gateway up} at a site of a lab. */
final class GatewayProcess implements AutoCloseable {
  /** Enough to tell what went wrong. */
  private static final int MOST_SAID = 300;

  private static final int LINES_KEPT = 50;

  private final Process process;
  private final BufferedReader output;

  /** The last lines that it has written since it was ready. */
  private final Deque<String> written = new ArrayDeque<>();

  private GatewayProcess(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /** Starts it; {@link #awaitReady} follows, so that several start at the same time. */
  static GatewayProcess start(Site site, List<String> options) {
    List<String> arguments = new ArrayList<>(List.of("gateway", "up"));
    arguments.addAll(options);
    try {
      return new GatewayProcess(site.verb(arguments).redirectErrorStream(true).start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Waits until it carries packets.
   *
   * @throws CommandException with what it said instead
   */
  void awaitReady() throws IOException {
    StringBuilder said = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith("gateway ready")) {
        Thread.ofPlatform().daemon().start(this::keepOutput);
        return;
      }
      if (said.length() < MOST_SAID) {
        said.append(line).append(' ');
      }
    }
    throw new CommandException("a gateway did not start: " + said);
  }

  /** Reads on, so that it never waits for room in the pipe. */
  private void keepOutput() {
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        synchronized (written) {
          written.add(line);
          if (written.size() > LINES_KEPT) {
            written.remove();
          }
        }
      }
    } catch (IOException e) {
      // The process has ended.
    }
  }

  /** Returns whether it runs, and the last lines that it has written since it was ready. */
  String condition() {
    synchronized (written) {
      return (process.isAlive() ? "runs" : "has ended") + "\n" + String.join("\n", written);
    }
  }

  /** Kills it: it tells nobody. */
  void kill() throws InterruptedException {
    process.toHandle().destroyForcibly();
    process.waitFor();
  }

  @Override
  public void close() {
    process.toHandle().destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
