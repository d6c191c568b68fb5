package io.cascade.lab.demo;

import io.cascade.api.Json;
import io.cascade.api.client.UnreachableException;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.command.StopHook;
import io.cascade.command.TemporaryFolder;
import io.cascade.lab.ShippedTopologies;
import io.cascade.lab.process.LocalCluster;
import io.cascade.lab.process.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
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
      "Compare one plain TCP connection with ./cascade send: the same file over an emulated long"
          + " path, side by side.",
      "Needs Linux, and root or unprivileged user namespaces; elsewhere, or with --loopback, a file"
          + " is sent through relays on this host.",
      "Runs until Ctrl-C, so that you can look around, then removes everything."
    })
public final class DemoVerb implements Callable<Integer> {
  /** Size that takes the plain connection nearly a minute. */
  private static final long USUAL_BYTES = 10_000_000;

  private static final long USUAL_LOOPBACK_BYTES = 1L << 30;
  private static final int MOST_RELAYS = 8;

  /** Exit code after Ctrl-C, as in shells. */
  private static final int INTERRUPTED = 130;

  private static final List<String> LOOPBACK_ONLY =
      List.of("--relays", "--keep-files", "--folder", "--progress");

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--loopback",
      description = "Emulate no path: send a large file through relays on this host.")
  private boolean loopback;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = DataSize.Converter.class,
      description = "Send a file of this size (default: 10MB; with --loopback 1GiB).")
  private @Nullable DataSize size;

  @Option(names = "--once", description = "Exit when done: with 0 if everything held, else with 1.")
  private boolean once;

  @Option(
      names = "--json",
      description =
          "Print one JSON document on stdout and nothing else; the report goes to stderr.")
  private boolean json;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description =
          "Draw the data received over time, beside the link's capacity, to this SVG file.")
  private @Nullable Path plot;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Generate the same file, and the same losses of the same packets, for the same seed"
              + " (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--relays",
      paramLabel = "N",
      defaultValue = "3",
      description = "With --loopback: run N relays, 1 to 8 (default: ${DEFAULT-VALUE}).")
  private int relays = 3;

  @Option(names = "--keep-files", description = "With --loopback: keep the files and logs.")
  private boolean keepFiles;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description =
          "With --loopback: put files and logs into this folder (default: a new one in the system's"
              + " temporary folder).")
  private @Nullable Path parent;

  @Option(
      names = "--progress",
      negatable = true,
      description = "With --loopback: draw a progress bar (default: if stderr is a terminal).")
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
    Networks networks;
    try {
      networks = Networks.open(ShippedTopologies.wan().seeded(seed));
    } catch (CommandException e) {
      story()
          .println(
              "No network can be emulated here, so this shows relays on loopback%s: %s"
                  .formatted(plot == null ? "" : ", and --plot draws nothing", e.getMessage()));
      story().flush();
      return overLoopback();
    }
    try (networks) {
      return overEmulatedPath(networks);
    } catch (RuntimeException | IOException e) {
      if (networks.stopping()) {
        return INTERRUPTED; // The signal removed the networks, which needs no message.
      }
      throw e;
    }
  }

  private PrintWriter story() {
    return json ? spec.commandLine().getErr() : spec.commandLine().getOut();
  }

  private int overEmulatedPath(Networks networks) throws IOException, InterruptedException {
    EmulatedDemo demo = new EmulatedDemo(networks, story(), spec.commandLine().getErr());
    DemoReport report = demo.play(size == null ? USUAL_BYTES : size.bytes(), seed);
    document(report);
    if (plot != null) {
      Files.writeString(plot, demo.chart().svg());
    }
    if (!once) {
      demo.invite(report);
      networks.withRelays().awaitEnd();
    }
    return report.held() ? 0 : 1;
  }

  private int overLoopback() throws IOException, InterruptedException {
    if (relays < 1 || relays > MOST_RELAYS) {
      throw new ParameterException(
          spec.commandLine(), "--relays: " + relays + " (expected: 1 to " + MOST_RELAYS + ")");
    }
    DemoOutput story = new DemoOutput(story());
    Path folder = newFolder();
    try (LocalCluster cluster = new LocalCluster(WorkFolder.in(folder).command(), folder);
        StopHook hook =
            StopHook.install(() -> {
              cluster.close();
              remove(folder);
            })) {
      try {
        LoopbackReport report =
            new Demonstration(cluster, folder, story, progress)
                .play(relays, size == null ? USUAL_LOOPBACK_BYTES : size.bytes(), seed);
        document(report);
        if (!once) {
          story.invite(report.orchestrator());
          cluster.awaitEnd();
        }
        return report.held() ? 0 : 1;
      } catch (RuntimeException | IOException e) {
        if (hook.isStopping()) {
          return INTERRUPTED; // The signal ended the parts, which needs no message.
        }
        if (e instanceof UnreachableException || e instanceof TransferFailed) {
          cluster.checkAlive(); // A part that has ended explains the failure.
        }
        throw e;
      }
    } finally {
      remove(folder);
    }
  }

  private void document(Object report) {
    if (json) {
      PrintWriter out = spec.commandLine().getOut();
      out.println(Json.lenient().writerWithDefaultPrettyPrinter().writeValueAsString(report));
      out.flush();
    }
  }

  private Path newFolder() {
    Path in = parent == null ? Path.of(System.getProperty("java.io.tmpdir", "")) : parent;
    try {
      return Files.createTempDirectory(in, "cascade-demo-");
    } catch (IOException e) {
      throw new CommandException(
          "cannot make a folder for the demo's files: "
              + (e instanceof NoSuchFileException ? "no such folder: " + in : e.getMessage())
              + ". Name a place with --folder",
          e);
    }
  }

  private void remove(Path folder) {
    if (!keepFiles) {
      TemporaryFolder.remove(folder);
    }
  }
}
