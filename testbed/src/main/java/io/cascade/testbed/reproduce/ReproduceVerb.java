package io.cascade.testbed.reproduce;

import io.cascade.command.Complaint;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "reproduce",
    mixinStandardHelpOptions = true,
    description = {
      "The published figures, held against the model.",
      "Writes a page, its charts and the sweep of the Cascaded TCP paper's Table I."
    })
public final class ReproduceVerb implements Callable<Integer> {
  private static final Path IN_A_CHECKOUT = Path.of("docs", "experiments");

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(names = "--model-only", description = "Compute only; measure nothing.")
  private boolean modelOnly;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write (docs/experiments in a checkout, else here).")
  private @Nullable Path out;

  @Override
  public Integer call() {
    if (!modelOnly) {
      throw new ParameterException(
          spec.commandLine(), "what? (expected: --model-only, which measures nothing)");
    }
    Path folder = out == null ? usualFolder() : out;
    ModelReport report = new ModelReport();
    try {
      report.writeTo(folder);
    } catch (IOException e) {
      throw new Complaint(
          folder + ": cannot be written (" + e.getMessage() + "); name another with --out", e);
    }
    PrintWriter print = spec.commandLine().getOut();
    report.tally().forEach((verdict, count) -> print.printf("%4d %s%n", count, verdict.words()));
    print.println("written: " + folder.resolve(ModelReport.PAGE));
    print.flush();
    return 0;
  }

  private static Path usualFolder() {
    String launcher = System.getProperty("cascade.launcher");
    if (launcher != null) {
      Path checkout = Path.of(launcher).resolveSibling(IN_A_CHECKOUT);
      if (Files.isDirectory(checkout.resolveSibling("decisions"))) {
        return checkout;
      }
    }
    return Path.of("");
  }
}
