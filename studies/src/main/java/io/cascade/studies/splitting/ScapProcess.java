package io.cascade.studies.splitting;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.lab.Site;
import io.cascade.lab.process.CascadeProcess;
import io.cascade.packets.scap.ScapCounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/** {@code cascade scap up} at a site of a lab. */
record ScapProcess(CascadeProcess process, Path log) implements AutoCloseable {
  private static final Pattern READY = Pattern.compile("scap ready");

  /**
   * Starts the process and waits until it carries packets.
   *
   * @param folder for its log
   * @param pipes values of {@code --pipe}
   * @throws CommandException with the process's output if it fails
   */
  static ScapProcess start(
      Site site, Path folder, String mode, String near, String far, List<String> pipes) {
    List<String> arguments =
        new ArrayList<>(
            List.of("scap", "up", "--near", near, "--far", far, "--mode", mode, "--json"));
    arguments.addAll(List.of("--split-after", "0"));
    pipes.forEach(pipe -> arguments.addAll(List.of("--pipe", pipe)));
    Path log = folder.resolve("scap-" + site.name() + ".log");
    CascadeProcess process =
        CascadeProcess.start("scap at " + site.name(), site.verb(arguments), log, READY);
    var _ = process.awaitReady();
    return new ScapProcess(process, log);
  }

  /** Stops the process and returns its counters. */
  ScapCounts stop() {
    close();
    String last = "";
    try {
      List<String> lines = Files.readAllLines(log);
      last = lines.isEmpty() ? "" : lines.getLast();
      return Json.lenient().readValue(last, ScapCounts.class);
    } catch (IOException | JacksonException e) {
      throw new CommandException("scap did not say what it did, but: " + last, e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
