package io.cascade.studies.beside;

import io.cascade.command.CommandException;
import io.cascade.lab.process.Machine;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "running-stream",
    mixinStandardHelpOptions = true,
    description = {
      "What throughput tests and packet trains do to a stream that uses the same link: the latency of"
          + " small messages, the rate of bulk.",
      "Measures for about two minutes, over an emulated link and with real relays, and writes a page. Needs Linux and root.",
      "",
      "Example: cascade reproduce running-stream --out /tmp/beside"
    })
public final class ReproduceRunningStreamVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Where to write (${DEFAULT-VALUE}).")
  private Path out = Path.of(".");

  @Override
  public Integer call() throws Exception {
    List<BesideRun> runs = new BesideCampaign(spec.commandLine().getErr()).measure();
    Path page = out.resolve(BesideReport.PAGE);
    try {
      Files.createDirectories(out);
      Files.writeString(page, new BesideReport(runs, Machine.here().words()).page());
    } catch (IOException e) {
      throw new CommandException(page + ": cannot be written (" + e.getMessage() + ")", e);
    }
    PrintWriter print = spec.commandLine().getOut();
    print.println("written: " + page);
    print.flush();
    return 0;
  }
}
