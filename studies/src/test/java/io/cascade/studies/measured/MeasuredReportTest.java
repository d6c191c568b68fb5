package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.measured.EmulatedPath.Ends;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasuredReportTest {
  @TempDir private Path folder;

  @Test
  void missesAndReachedGoalsAreSaidWithTheirIntervals() throws IOException {
    String page =
        written(
            List.of(
                Measured.path(
                    1,
                    Ends.BARE,
                    Measured.sent("send", 6.0, 6.2),
                    Measured.sent("direct", 12.0, 12.0),
                    Measured.sent("via r1", 5.0, 5.0)),
                Measured.path(
                    2,
                    Ends.RELAYS,
                    Measured.sent("send", 3.5, 3.5),
                    Measured.sent("direct", 12.0, 12.0),
                    Measured.sent("via r1", 3.4, 3.4))));

    assertThat(page)
        .contains("| 90 % of paths | 1 of 2, 50 % (9 to 91 %) | **missed** |")
        .contains("| no path | 0 of 2, 0 % (0 to 66 %) | reached |")
        .contains("with both bounds contains the measured time | 90 % of predictions |")
        .contains("3 of 4, 75 %") // Intervals: one closed one did not hold.
        .contains("The goals ask for a hundred paths")
        .contains("2 of 2, 100 % (34 to 100 %) | **missed** |") // Undecided.
        .contains("| relays join | 4 | 2.5 s | 2.5 s |")
        .contains("the best way, joined after 2.5 of 6.0 s")
        .contains("via r1 | 5.0 s | 3.0 to 4.0 s");
    assertThat(folder.resolve("measured-of-best.png")).isNotEmptyFile();
    assertThat(folder.resolve("measured-of-direct.png")).isNotEmptyFile();
  }

  @Test
  void aSendThatFailedIsNamed() throws IOException {
    String page =
        written(
            List.of(
                Measured.path(
                    Measured.sent("send", 5.0, null),
                    Measured.sent("direct", 12.0, 12.0),
                    Measured.sent("via r1", 5.0, 5.0))));

    assertThat(page).contains("Failed sends count as misses: 1 of 2").contains("failed: cut off");
  }

  @Test
  void nothingMeasuredIsSaid() throws IOException {
    assertThat(written(List.of())).contains("Nothing measured yet.");
  }

  private String written(List<PathResult> results) throws IOException {
    new MeasuredReport(results, "Measured on a machine.")
        .page()
        .writeMarkdown(folder, MeasuredReport.NAME);
    return Files.readString(folder.resolve("measured.md"));
  }
}
