package io.cascade.studies.coded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CodedLabReportTest {
  private static final LabCell GATE = new LabCell(10, 50, 1, "0%", LabCell.CODED, "cubic");
  private static final LabCell ALONE = new LabCell(100, 100, 1, "1%", LabCell.CODED, "");
  private static final LabCell CUBIC = new LabCell(100, 100, 1, "1%", "cubic", "");

  @TempDir private Path folder;

  @Test
  void goalsAreMetOrMissedByTheMediansOfCellsAndBySingleRuns() throws Exception {
    String page =
        page(
            List.of(
                Runs.of(GATE, 1, 0.5, 0.3),
                Runs.of(GATE, 2, 0.5, 0.4),
                Runs.of(GATE, 3, 0.5, 0.95),
                Runs.of(GATE.withTcpInstead(), 1, 0.5, 0.22),
                Runs.of(ALONE, 1, 0.94, 1),
                Runs.of(CUBIC, 1, 0.1, 1),
                LabRun.failed(ALONE, 2, "the emulator could not keep up")));
    assertThat(page)
        .contains("1 of 1 (100 %); 0.40 to 0.40 | met")
        .contains("1 of 3 | **missed**")
        .contains("0 of 1 cells; median 0.940, least 0.940 | **missed**")
        .contains("within 15 % in 90 % of cells | 1 of 1; median 0.9")
        .contains("| ≥ 5.00 × | 9.40 × | met")
        .contains("| 0.40 (0.30–0.95) | 0.22 |")
        .contains("r = 0 %, scalar kernel (1 runs, load 3) | ≤ 2.2 | 2.50 | **missed**")
        .contains("1 failed");
  }

  @Test
  void aPageWithoutRunsHasNoTables() throws Exception {
    assertThat(page(List.of())).doesNotContain("NaN").contains("Coded hops in the lab");
  }

  private String page(List<LabRun> runs) throws Exception {
    new CodedLabReport(runs, List.of(new LoopbackRun(1, 0, "scalar", 2e9, 1, 1.5, 3)), "Here.")
        .page()
        .writeMarkdown(folder, "page");
    return Files.readString(folder.resolve("page.md"));
  }
}
