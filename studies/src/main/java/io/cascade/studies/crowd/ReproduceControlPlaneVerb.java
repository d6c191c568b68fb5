package io.cascade.studies.crowd;

import io.cascade.command.CommandException;
import io.cascade.command.TimeSpan;
import io.cascade.lab.process.Machine;
import io.cascade.lab.process.WorkFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cascade reproduce control-plane}: how many relays an orchestrator bears. */
@Command(
    name = "control-plane",
    mixinStandardHelpOptions = true,
    description = {
      "An orchestrator with a thousand simulated relays, chains and callers, and killed and started"
          + " again under them: how soon heartbeats are answered and leases renewed, what they cost, and"
          + " whether a relay is taken for lost. Over loopback, some five minutes. Needs Linux.",
      "Exits with 1 when a goal does not hold."
    })
public final class ReproduceControlPlaneVerb implements Callable<Integer> {
  private static final int MOST_RELAYS = 5_000;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--relays",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Relays, 3 to 5000 (${DEFAULT-VALUE}).")
  private int relays = 1_000;

  @Option(
      names = "--callers",
      paramLabel = "N",
      defaultValue = "200",
      description = "Callers at a time (${DEFAULT-VALUE}).")
  private int callers = 200;

  @Option(
      names = "--chains",
      paramLabel = "N",
      defaultValue = "5000",
      description = "Open chains (${DEFAULT-VALUE}).")
  private int chains = 5_000;

  @Option(
      names = "--phase",
      paramLabel = "TIME",
      converter = TimeSpan.Converter.class,
      description = "How long the relays are watched alone, and again beside callers (60s).")
  private TimeSpan phase = new TimeSpan(60);

  @Option(names = "--output", paramLabel = "DIR", description = "Write control-plane.md there.")
  private @Nullable Path output;

  @Override
  public Integer call() throws Exception {
    if (relays < 3 || relays > MOST_RELAYS) {
      throw new CommandException("--relays " + relays + " (expected: 3 to " + MOST_RELAYS + ")");
    }
    if (callers < 1 || chains < 1) {
      throw new CommandException("--callers and --chains (expected: 1 or more)");
    }
    if (output != null) {
      Files.createDirectories(output);
    }
    WorkFolder work = WorkFolder.make("control-plane");
    ControlPlaneReport report =
        new ControlPlane(
                new ControlPlane.Load(
                    relays,
                    callers,
                    chains,
                    Duration.ofMillis(Math.round(phase.seconds() * 1_000))),
                work,
                spec.commandLine().getErr())
            .measure();
    PrintWriter out = spec.commandLine().getOut();
    out.print(report.table());
    out.flush();
    if (output != null) {
      write(report, output.resolve("control-plane.md"));
    }
    work.leave(report.held(), spec.commandLine().getErr());
    return report.held() ? 0 : 1;
  }

  private void write(ControlPlaneReport report, Path page) {
    String command =
        "./cascade " + String.join(" ", spec.commandLine().getParseResult().originalArgs());
    try {
      report.write(page, command, Machine.here().words());
    } catch (IOException e) {
      throw new CommandException(page + ": cannot be written (" + e.getMessage() + ")", e);
    }
  }
}
