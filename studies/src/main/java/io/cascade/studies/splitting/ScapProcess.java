package io.cascade.studies.splitting;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.lab.Site;
import io.cascade.packets.scap.ScapCounts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;

/** {@code cascade scap up} at a site of a lab. */
final class ScapProcess implements AutoCloseable {
  /** Enough to tell what went wrong. */
  private static final int MOST_SAID = 200;

  private final Process process;
  private final BufferedReader output;

  private ScapProcess(Process process) {
    this.process = process;
    this.output = process.inputReader();
  }

  /**
   * Starts it and waits until it carries packets.
   *
   * @param pipes as --pipe takes them
   * @throws CommandException with what it said instead
   */
  static ScapProcess start(Site site, String mode, String near, String far, List<String> pipes) {
    List<String> arguments =
        new ArrayList<>(
            List.of("scap", "up", "--near", near, "--far", far, "--mode", mode, "--json"));
    arguments.addAll(List.of("--split-after", "0"));
    pipes.forEach(pipe -> arguments.addAll(List.of("--pipe", pipe)));
    try {
      ScapProcess started = new ScapProcess(site.verb(arguments).redirectErrorStream(true).start());
      StringBuilder said = new StringBuilder();
      for (String line = started.output.readLine(); ; line = started.output.readLine()) {
        if (line == null) {
          throw new CommandException("scap at " + site.name() + " did not start: " + said);
        }
        if (line.startsWith("scap ready")) {
          return started;
        }
        if (said.length() < MOST_SAID) {
          said.append(line).append(' ');
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stops it and returns what it did. */
  ScapCounts stop() {
    process.toHandle().destroy(); // The process's own method would close its output.
    String last = "";
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        last = line;
      }
      return Json.lenient().readValue(last, ScapCounts.class);
    } catch (IOException | JacksonException e) {
      throw new CommandException("scap did not say what it did, but: " + last, e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
