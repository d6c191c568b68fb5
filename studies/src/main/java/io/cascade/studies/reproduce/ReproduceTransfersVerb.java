package io.cascade.studies.reproduce;

import io.cascade.command.DataSize;
import io.cascade.studies.transfers.Transfers;
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
    name = "transfers",
    mixinStandardHelpOptions = true,
    description = {
      "send and receive with a code beside rsync and scp over ssh, croc and rclone, where they are"
          + " installed: one file, many small ones, a tree of everything, ends that are killed; and"
          + " over loopback transfers whose ends are killed at random times, and a file with a key"
          + " and in clear.",
      "Writes a page and every result. What was measured already is not repeated. Needs Linux;"
          + " copies need root, kills at random times do not.",
      "",
      "Example: cascade reproduce transfers --quick --out /tmp/transfers"
    })
final class ReproduceTransfersVerb implements Callable<Integer> {
  private static final List<String> PARTS = List.of("copies", "kills", "sealing");

  /** Bounds of {@code --quick}. */
  private static final DataSize QUICK_SIZE = new DataSize(32_000_000);

  private static final int QUICK_FILES = 300;
  private static final int QUICK_REPETITIONS = 2;
  private static final int QUICK_KILLS = 5;
  private static final List<Integer> QUICK_CUTS = List.of(60);

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = DataSize.PositiveConverter.class,
      description = "Of the one file (100MB).")
  private @Nullable DataSize size;

  @Option(
      names = "--files",
      paramLabel = "N",
      description = "How many small ones; 100000 takes hours beside scp (2000).")
  private @Nullable Integer files;

  @Option(
      names = "--cuts",
      paramLabel = "PERCENT",
      split = ",",
      description = "When an end is killed, 1 to 99, comma-separated (10,30,60,90).")
  private @Nullable List<Integer> cuts;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Copies of each contender in each test (3).")
  private @Nullable Integer repetitions;

  @Option(
      names = "--kills",
      paramLabel = "N",
      description = "Transfers whose ends are killed at random times (20).")
  private @Nullable Integer kills;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The same seed draws the same kills (${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--quick",
      description =
          "About ten minutes: 32MB, 300 files, a cut at 60 %%, 2 repetitions, 5 kills, unless said"
              + " otherwise.")
  private boolean quick;

  @Option(
      names = "--only",
      paramLabel = "WHICH",
      description = "copies, kills or sealing: leave out the others.")
  private @Nullable String only;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() throws InterruptedException {
    check();
    Transfers transfers = new Transfers(folder.path());
    PrintWriter out = spec.commandLine().getOut();
    try {
      boolean complete = reportOnly || measure(transfers, spec.commandLine().getErr());
      transfers.report(out);
      out.println("written: " + folder.path().resolve(Transfers.PAGE));
      out.flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
  }

  private void check() {
    LeastOne.check(spec, "--files", files());
    LeastOne.check(spec, "--repetitions", repetitions());
    LeastOne.check(spec, "--kills", kills());
    for (int cut : cuts()) {
      if (cut < 1 || cut > 99) {
        throw new ParameterException(spec.commandLine(), "--cuts " + cut + " (expected: 1 to 99)");
      }
    }
    if (only != null && !PARTS.contains(only)) {
      throw new ParameterException(
          spec.commandLine(), "--only " + only + " (expected: " + String.join(", ", PARTS) + ")");
    }
  }

  private boolean measure(Transfers transfers, PrintWriter err)
      throws InterruptedException, IOException {
    boolean sealed = !isWanted("sealing") || transfers.seal(repetitions(), err);
    boolean killed = !isWanted("kills") || transfers.kill(kills(), seed, err);
    boolean copied =
        !isWanted("copies") || transfers.copy(size().bytes(), files(), cuts(), repetitions(), err);
    return sealed && killed && copied;
  }

  private boolean isWanted(String part) {
    return only == null || only.equals(part);
  }

  private DataSize size() {
    return size != null ? size : quick ? QUICK_SIZE : new DataSize(100_000_000);
  }

  private int files() {
    return files != null ? files : quick ? QUICK_FILES : 2_000;
  }

  private List<Integer> cuts() {
    return cuts != null ? cuts : quick ? QUICK_CUTS : List.of(10, 30, 60, 90);
  }

  private int repetitions() {
    return repetitions != null ? repetitions : quick ? QUICK_REPETITIONS : 3;
  }

  private int kills() {
    return kills != null ? kills : quick ? QUICK_KILLS : 20;
  }
}
