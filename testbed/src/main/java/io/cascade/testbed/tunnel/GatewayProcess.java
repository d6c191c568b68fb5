package io.cascade.testbed.tunnel;

import io.cascade.command.CommandException;
import io.cascade.testbed.lab.Site;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** {@code cascade gateway up} at a site of a lab. */
final class GatewayProcess implements AutoCloseable {
  /** Enough to tell what went wrong. */
  private static final int MOST_SAID = 300;

  private final Process process;
  private final BufferedReader output;

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
        return;
      }
      if (said.length() < MOST_SAID) {
        said.append(line).append(' ');
      }
    }
    throw new CommandException("a gateway did not start: " + said);
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
