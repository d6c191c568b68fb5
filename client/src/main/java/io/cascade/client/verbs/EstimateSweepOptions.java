package io.cascade.client.verbs;

import io.cascade.charts.Chart;
import io.cascade.charts.NoFontsException;
import io.cascade.client.estimate.Dimension;
import io.cascade.client.estimate.Scenario;
import io.cascade.client.estimate.Sweep;
import io.cascade.client.estimate.SweepChart;
import io.cascade.client.estimate.SweepTable;
import io.cascade.command.CommandException;
import io.cascade.command.OptionSection;
import io.cascade.model.estimate.Estimate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that vary an estimate's values, and the table and the chart of the results. */
@OptionSection("Sweeps")
final class EstimateSweepOptions {
  @SuppressWarnings("NullAway.Init")
  @Spec(Spec.Target.MIXEE)
  private CommandSpec verb;

  @Option(
      names = "--sweep",
      paramLabel = "DIMENSIONS",
      converter = EstimateConverters.Sweeps.class,
      description =
          "Compute every combination of values of rtt, loss, capacity, bytes and relays, such as"
              + " rtt=8ms..512ms:x2,loss=0.01%%,0.1%%,1%%. A range multiplies (:x2) or adds"
              + " (:+8ms).")
  private @Nullable Sweep sweep;

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Write the sweep's table to this file.")
  private @Nullable Path csv;

  @Option(
      names = "--plot",
      paramLabel = "FILE",
      description = "Draw the sweep, its first dimension along x, to FILE.svg or FILE.png.")
  private @Nullable Path plot;

  @Option(
      names = "--y",
      paramLabel = "WHAT",
      description =
          "Choose what --plot draws: ${COMPLETION-CANDIDATES} (default: utilisation if the capacity"
              + " is known, else rate).")
  private SweepChart.@Nullable Quantity y;

  /** Whether there is a sweep. */
  boolean isGiven() {
    return sweep != null;
  }

  /**
   * @throws ParameterException where options of a sweep are given without one
   */
  void checkAbsent() {
    if (plot != null || csv != null || y != null) {
      throw misuse("--plot, --csv and --y: of a sweep (expected: with --sweep)");
    }
  }

  /**
   * Estimates every point and writes the table and the chart.
   *
   * @param hopsAreListed whether the path's hops are given one by one
   * @param title of the chart
   * @throws ParameterException where the sweep is not possible
   * @throws CommandException where a file cannot be written
   */
  void run(
      Scenario fixed,
      boolean hopsAreListed,
      String title,
      Function<Scenario, Estimate> estimate,
      Output output) {
    Sweep over = checked(hopsAreListed, output);
    List<Scenario> scenarios = over.scenarios(fixed);
    List<Estimate> points = scenarios.stream().map(estimate).toList();
    // Drawn before anything is printed, so that a drawing error is the only output.
    byte[] drawn = plot == null ? null : drawn(plot, chart(title, over, scenarios, points));
    String table = SweepTable.csv(points);
    if (csv != null) {
      write(csv, table.getBytes(StandardCharsets.UTF_8));
    } else {
      output.out().print(table);
      output.out().flush();
    }
    if (plot != null && drawn != null) {
      write(plot, drawn);
      output.note("drawn: " + plot);
    }
  }

  private Sweep checked(boolean hopsAreListed, Output output) {
    if (sweep == null) {
      throw new IllegalStateException("no sweep");
    }
    if (output.json()) {
      throw misuse("--json: a sweep is printed as CSV (expected: one of --sweep and --json)");
    }
    if (hopsAreListed
        && (sweep.varies(Dimension.RTT)
            || sweep.varies(Dimension.LOSS)
            || sweep.varies(Dimension.CAPACITY)
            || sweep.varies(Dimension.RELAYS))) {
      throw misuse(
          "--sweep: the hops of --hops are fixed (expected: bytes alone, or a path with --relays)");
    }
    if (plot != null && !isSvg(plot) && !isPng(plot)) {
      throw misuse("--plot: '" + plot + "' (expected: FILE.svg or FILE.png)");
    }
    return sweep;
  }

  private static byte[] drawn(Path picture, Chart chart) {
    try {
      return isSvg(picture) ? chart.svg().getBytes(StandardCharsets.UTF_8) : chart.png();
    } catch (NoFontsException e) {
      throw new CommandException("--plot: " + e.getMessage(), e);
    }
  }

  private Chart chart(String title, Sweep over, List<Scenario> scenarios, List<Estimate> points) {
    SweepChart.Quantity quantity = y;
    if (quantity == null) {
      quantity =
          points.stream().anyMatch(point -> point.direct().utilisation().isPresent())
              ? SweepChart.Quantity.UTILISATION
              : SweepChart.Quantity.RATE;
    }
    try {
      return SweepChart.of(title, over, scenarios, points, quantity);
    } catch (IllegalArgumentException e) {
      throw misuse("--plot: " + e.getMessage());
    }
  }

  private static boolean isSvg(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".svg");
  }

  private static boolean isPng(Path file) {
    return file.toString().toLowerCase(Locale.ROOT).endsWith(".png");
  }

  private static void write(Path file, byte[] content) {
    try {
      Files.write(file, content);
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be written (" + e.getMessage() + ")", e);
    }
  }

  private ParameterException misuse(String message) {
    return new ParameterException(verb.commandLine(), message);
  }
}
