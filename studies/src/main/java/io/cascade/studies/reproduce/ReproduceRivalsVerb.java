package io.cascade.studies.reproduce;

import io.cascade.studies.rivals.Rivals;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "rivals",
    mixinStandardHelpOptions = true,
    description = {
      "send and receive beside what a user would take instead: plain TCP connections, BBR, eight"
          + " connections, croc and uftp where they are installed, and the bound of the link.",
      "Measures the demo's path and drawn ones, for about two minutes each, and writes a page and every"
          + " result. What was measured already is not repeated. Needs Linux and root.",
      "",
      "Example: cascade reproduce rivals --paths 6 --out /tmp/rivals"
    })
final class ReproduceRivalsVerb implements Callable<Integer> {
  private static final List<String> PARTS = List.of("demo", "drawn");

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--paths",
      paramLabel = "N",
      defaultValue = "40",
      description = "How many are drawn beside the demo's (${DEFAULT-VALUE}).")
  private int paths = 40;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "3",
      description = "Transfers of each contender over each path (${DEFAULT-VALUE}).")
  private int repetitions = 3;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The same seed draws the same paths (${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--only",
      paramLabel = "WHICH",
      description = "demo or drawn: leave out the other paths.")
  private @Nullable String only;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() throws InterruptedException {
    LeastOne.check(spec, "--paths", paths);
    LeastOne.check(spec, "--repetitions", repetitions);
    if (only != null && !PARTS.contains(only)) {
      throw new ParameterException(
          spec.commandLine(), "--only " + only + " (expected: " + String.join(" or ", PARTS) + ")");
    }
    Rivals rivals = new Rivals(folder.path());
    PrintWriter out = spec.commandLine().getOut();
    try {
      boolean complete =
          reportOnly
              || rivals.measure(
                  !"drawn".equals(only),
                  "demo".equals(only) ? 0 : paths,
                  repetitions,
                  seed,
                  spec.commandLine().getErr());
      rivals.report(out);
      out.println("written: " + folder.path().resolve(Rivals.PAGE));
      out.flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
  }
}
