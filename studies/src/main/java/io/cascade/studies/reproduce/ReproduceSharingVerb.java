package io.cascade.studies.reproduce;

import io.cascade.studies.sharing.Sharing;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "sharing",
    mixinStandardHelpOptions = true,
    description = {
      "What send takes from somebody else's CUBIC connection on the same links: directly with BBR, by coded"
          + " sessions, and through a relay.",
      "Measures for about a quarter of an hour, over emulated paths and with a real relay, and writes a page."
          + " What was measured already is not repeated. Needs Linux and root.",
      "",
      "Example: cascade reproduce sharing --out /tmp/sharing"
    })
final class ReproduceSharingVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "2",
      description = "Of each flow on each path (${DEFAULT-VALUE}).")
  private int repetitions = 2;

  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() throws Exception {
    LeastOne.check(spec, "--repetitions", repetitions);
    Sharing sharing = new Sharing(folder.path());
    sharing.measure(repetitions, spec.commandLine().getErr());
    try {
      sharing.report();
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
    PrintWriter print = spec.commandLine().getOut();
    print.println("written: " + folder.path().resolve(Sharing.PAGE));
    print.flush();
    return 0;
  }
}
