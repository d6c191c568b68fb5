package io.cascade.studies.reproduce;

import io.cascade.command.CommandException;
import io.cascade.studies.coded.CodedHopsReport;
import io.cascade.studies.study.PageFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "coded-hops",
    mixinStandardHelpOptions = true,
    description = {
      "Coded hops in virtual time: what they carry over links that lose packets, how long data"
          + " waits for its order, and their share beside a TCP flow.",
      "Simulates for some minutes and measures no network: reproduce coded-lab does."
          + " Writes a page.",
      "",
      "Example: cascade reproduce coded-hops --seeds 1 --out /tmp/coded"
    })
final class ReproduceCodedHopsVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Runs of each cell (${DEFAULT-VALUE}).")
  private int seeds;

  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() {
    if (seeds < 1 || seeds > 100) {
      throw new CommandException("--seeds " + seeds + ": give 1 to 100");
    }
    PrintWriter progress = spec.commandLine().getErr();
    try {
      new CodedHopsReport(
              seeds,
              runs -> {
                if (runs % 20 == 0) {
                  progress.println(runs + " runs simulated");
                  progress.flush();
                }
              })
          .writeTo(folder.path());
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
    PrintWriter print = spec.commandLine().getOut();
    print.println("written: " + folder.path().resolve(CodedHopsReport.PAGE));
    print.flush();
    return 0;
  }
}
