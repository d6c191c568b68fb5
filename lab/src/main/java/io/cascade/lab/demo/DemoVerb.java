package io.cascade.lab.demo;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.lab.ShippedTopologies;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "See what Cascade gains: the same file over an emulated long path, by one plain TCP connection"
          + " and by ./cascade send, side by side.",
      "Needs Linux, and root or user namespaces for everybody; elsewhere, or with --loopback, a file"
          + " goes through relays on this host.",
      "Stays until Ctrl-C, so that you can look around; everything is removed then."
    })
public final class DemoVerb implements Callable<Integer> {
  /** Takes the plain connection nearly a minute. */
  private static final long USUAL_BYTES = 10_000_000;

  /** Ctrl-C, as shells have it. */
  private static final int INTERRUPTED = 130;

  private static final List<String> LOOPBACK_ONLY =
      List.of("--relays", "--keep-files", "--folder", "--progress");

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--loopback",
      description = "No emulated path: relays on this host, and what they do with a large file.")
  private boolean loopback;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description = "Of the file (10MB; with --loopback 1GiB).")
  private @Nullable DataSize size;

  @Option(
      names = "--once",
      description = "Exit when done: 0 where everything held, 1 where anything did not.")
  private boolean once;

  @Option(
      names = "--json",
      description = "Print one JSON document on stdout, nothing else there; the story on stderr.")
  private boolean json;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draw what had arrived over time, beside the link's capacity (SVG).")
  private @Nullable Path plot;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The same seed makes the same file, and the same losses of the same packets.")
  private long seed = 1;

  @Option(
      names = "--relays",
      paramLabel = "N",
      defaultValue = "3",
      description = "With --loopback: how many, 1 to 8 (${DEFAULT-VALUE}).")
  private int relays = 3;

  @Option(
      names = "--keep-files",
      description = "With --loopback: leave the files and logs where they are.")
  private boolean keepFiles;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description =
          "With --loopback: where to put files and logs (a new folder in the system's temporary"
              + " one).")
  private @Nullable Path parent;

  @Option(
      names = "--progress",
      negatable = true,
      description = "With --loopback: draw a progress bar (where stderr is a terminal).")
  private @Nullable Boolean progress;

  @Override
  public Integer call() throws Exception {
    CommandLine line = spec.commandLine();
    if (size != null && size.bytes() < 1) {
      throw new ParameterException(line, "--size: a demonstration needs at least one byte");
    }
    if (loopback && plot != null) {
      throw new ParameterException(line, "--plot: not with --loopback");
    }
    if (loopback) {
      return overLoopback();
    }
    for (String option : LOOPBACK_ONLY) {
      if (line.getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(line, option + ": only with --loopback");
      }
    }
    Path drawn = plot == null ? null : plot.toAbsolutePath().getParent();
    if (drawn != null && !Files.isDirectory(drawn)) {
      throw new ParameterException(line, "--plot " + plot + ": no such folder");
    }
    PrintWriter story = json ? line.getErr() : line.getOut();
    Networks networks;
    try {
      networks = Networks.open(ShippedTopologies.wan().seeded(seed));
    } catch (CommandException e) {
      story.println(
          "No network can be emulated here, so this shows relays on loopback%s: %s"
              .formatted(plot == null ? "" : ", and --plot draws nothing", e.getMessage()));
      story.flush();
      return overLoopback();
    }
    try (networks) {
      return overEmulatedPath(networks, story);
    } catch (RuntimeException | IOException e) {
      if (networks.stopping()) {
        return INTERRUPTED; // It took the networks away; that is no news.
      }
      throw e;
    }
  }

  private int overEmulatedPath(Networks networks, PrintWriter story)
      throws IOException, InterruptedException {
    EmulatedDemo demo = new EmulatedDemo(networks, story, spec.commandLine().getErr());
    DemoReport report = demo.play(size == null ? USUAL_BYTES : size.bytes(), seed);
    if (json) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(Json.lenient().writerWithDefaultPrettyPrinter().writeValueAsString(report));
      out.flush();
    }
    if (plot != null) {
      Files.writeString(plot, demo.chart().svg());
    }
    if (!once) {
      demo.invite(report);
      networks.withRelays().awaitEnd();
    }
    return report.held() ? 0 : 1;
  }

  private int overLoopback() throws Exception {
    return new LoopbackDemo(
            spec.commandLine(),
            once,
            json,
            seed,
            new LoopbackDemo.Settings(
                size == null ? null : size.bytes(), relays, keepFiles, parent, progress))
        .run();
  }
}
