package io.cascade.studies.multipath;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MultipathReportTest {
  private static final PathShape QUICK = new PathShape(10e6, 40, 0);
  private static final PathShape SLOW = new PathShape(5e6, 40, 0);

  @TempDir private Path folder;

  private String page(PathRun... runs) throws Exception {
    new MultipathReport(List.of(runs), "A machine.").page().writeMarkdown(folder, "multipath");
    return Files.readString(folder.resolve("multipath.md"));
  }

  private static PathRun run(
      String way, double bitsPerSecond, @Nullable String failure, PathShape... paths) {
    return new PathRun("paths", List.of(paths), way, 15, bitsPerSecond, 0, 1, failure);
  }

  @Test
  void whatPathsCarryTogetherStandsBesideTheBestAndTheSumOfThemAlone() throws Exception {
    assertThat(
            page(
                run("path 1 alone", 10e6, null, QUICK, SLOW),
                run("path 2 alone", 5e6, null, QUICK, SLOW),
                run(MultipathCell.ALL, 12e6, null, QUICK, SLOW),
                run(MultipathCell.MPTCP, 0, "no such protocol", QUICK, SLOW)))
        .contains("| 1.20 | 0.80 | not measured |")
        .contains("no such protocol");
  }

  @Test
  void severalRoundsAreShownByMedianAndRange() throws Exception {
    assertThat(
            page(
                run("path 1 alone", 10e6, null, QUICK),
                run(MultipathCell.ALL, 20e6, null, QUICK),
                run("path 1 alone", 8e6, null, QUICK),
                run(MultipathCell.ALL, 0, "no chain", QUICK),
                run("path 1 alone", 12e6, null, QUICK),
                run(MultipathCell.ALL, 30e6, null, QUICK)))
        .contains("| path 1 alone | 10.00 (8.00 to 12.00) |")
        .contains("| 25.00 (20.00 to 30.00); 1 failed: no chain |")
        .contains("| 2.50 | 2.50 | not measured |")
        .contains("in each of 3 rounds");
  }

  @Test
  void pathsThatAreEqualAreMeasuredOnceAndCountTwice() throws Exception {
    assertThat(
            page(
                run("path 1 alone", 10e6, null, QUICK, QUICK),
                run(MultipathCell.ALL, 15e6, null, QUICK, QUICK),
                run(MultipathCell.MPTCP, 20e6, null, QUICK, QUICK)))
        .contains("| 1.50 | 0.75 | 2.00 |");
  }
}
