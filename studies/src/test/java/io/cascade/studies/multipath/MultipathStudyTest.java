package io.cascade.studies.multipath;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class MultipathStudyTest {
  @TempDir private Path folder;

  private final StringWriter said = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new MultipathStudy())
        .setOut(new PrintWriter(said))
        .setErr(new PrintWriter(said))
        .execute(arguments);
  }

  @Test
  void everyCellHasAKeyOfItsOwn() {
    List<MultipathCell> cells = MultipathCell.all();

    assertThat(cells.stream().map(cell -> MultipathResult.key(cell, 1, 15)))
        .doesNotHaveDuplicates();
    assertThat(cells).extracting(MultipathCell::way).contains("path 2 alone", "one pipe");
    assertThat(cells.stream().filter(cell -> cell.what().equals("unequal paths")))
        .extracting(MultipathCell::way)
        .containsExactly("path 1 alone", "path 2 alone", MultipathCell.ALL, MultipathCell.MPTCP);
  }

  @Test
  void whatWasMeasuredIsReportedOnWithoutMeasuring() throws Exception {
    MultipathCell cell = MultipathCell.all().getFirst();
    PathRun run = new PathRun(cell.what(), cell.paths(), cell.way(), 15, 9e6, 8e6, 1, null);
    Files.createDirectory(folder.resolve("results"));
    Files.writeString(
        folder.resolve("results").resolve("multipath.jsonl"),
        Json.lenient()
                .writeValueAsString(
                    new MultipathResult(MultipathResult.key(cell, 1, 15), List.of(run)))
            + "\n");

    int code = run("--report-only", "--out", folder.toString());

    assertThat(code).as(said.toString()).isZero();
    assertThat(Files.readString(folder.resolve("multipath.md")))
        .contains("two paths: 10.00 Mbit/s, 40 ms, 0.00 %")
        .contains("| 9.00 | 8.00 |");
  }

  @Test
  void wordsThatNoPathsAreCalledAreRefused() {
    assertThat(run("--only", "no such words")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(said.toString()).contains("no paths are called so");
  }
}
