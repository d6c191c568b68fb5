package io.cascade.studies.splitting;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.processing.ProcessorCounts;
import io.cascade.studies.experiment.KernelCounts;
import io.cascade.studies.study.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SplitReportTest {
  private static final TcpSender CUBIC = new TcpSender("cubic", true, true);

  private List<DeathRun> deaths = List.of();

  @TempDir Path folder;

  @Test
  void gainsAreOverOnePathWithTheSameSender() throws IOException {
    String page =
        page(
            run(0, SplitWay.ONE_PATH, 1, 1.5),
            run(40, SplitWay.DEF, 1, 2.0),
            run(40, SplitWay.DEF, 2, 2.4),
            run(40, SplitWay.DEF, 3, 2.1),
            run(80, SplitWay.DEF, 1, 1.2));

    assertThat(page).contains("| cubic, SACK+TS | one path | 1.50 |");
    assertThat(page).contains("2.10 (2.00 to 2.40), +40 %").contains("1.20, -20 %");
    assertThat(page).contains("no worse than one path | 1 of 2 | -20 % | +40 % |");
    assertThat(page).contains("pair, two pipes, SACK: 95 % more | not measured");
    assertThat(page).doesNotContain("Three pipes");
  }

  @Test
  void deathsAreCountedByTheirTimeOuts() throws IOException {
    DeathRun.Kind cut = DeathRun.Kind.PATH_CUT;
    deaths =
        List.of(
            new DeathRun(SplitWay.PAIR, 1, cut, 1, 2.9e6, 1.4e6, 1, 1),
            new DeathRun(SplitWay.DEF, 2, cut, 1, 2.5e6, 0.7e6, 4, 1));

    assertThat(page(run(0, SplitWay.ONE_PATH, 1, 1.5)))
        .contains("a pipe dies: one time-out at most | 1 of 2 | 1 | 4 |")
        .contains("| pair, path 1, path cut #1 | 1 | 2.90 | 1.40 |");
  }

  @Test
  void failedRunsAreNamedAndLeftOut() throws IOException {
    SplitRun good = run(0, SplitWay.PAIR, 1, 2.9);
    SplitRun failed =
        new SplitRun(good.cell(), 2, 40, 0, null, null, 0, null, 1, "scap at split did not start");

    assertThat(page(good, failed))
        .contains("1 runs failed and are left out: 2 pipes, 0 ms, pair, cubic, SACK+TS, 40 s #2")
        .contains("| 2.90 |");
  }

  @Test
  void runsWithLessThanHalfOfTheirCellsMedianAreShown() throws IOException {
    String slow = "2 pipes, 40 ms, pair, cubic, SACK+TS, 40 s #3";

    assertThat(
            page(
                run(40, SplitWay.PAIR, 1, 2.9),
                run(40, SplitWay.PAIR, 2, 2.8),
                run(40, SplitWay.PAIR, 3, 0.14)))
        .contains("| " + slow + " | 0.14 | 3 | 250 | 2 |");
    assertThat(page(run(40, SplitWay.PAIR, 1, 2.9), run(40, SplitWay.PAIR, 2, 2.8)))
        .doesNotContain("Slow runs");
  }

  @Test
  void cellsAreTheSourcesAndEachOnce() {
    List<SplitCell> all = SplitCell.all(List.of(2, 3));

    // One path for each sender; five ways over five differences.
    assertThat(SplitCell.few(List.of(2))).hasSize(2 * (1 + 5 * 5));
    assertThat(all).hasSize(8 * (1 + 2 * 5 * 5));
    assertThat(new HashSet<>(all.stream().map(SplitCell::key).toList())).hasSameSizeAs(all);
  }

  @Test
  void resultsComeBackFromTheirFile() {
    JsonLines<SplitRun> lines =
        new JsonLines<>(folder.resolve("runs.jsonl"), SplitRun.class, SplitRun::key);
    SplitRun run = run(40, SplitWay.DEF, 1, 2.0);

    lines.append(run);
    assertThat(lines.read()).containsExactly(run);
  }

  private String page(SplitRun... runs) throws IOException {
    new SplitReport(List.of(runs), deaths, "On a machine.").page().writeMarkdown(folder, "page");
    return Files.readString(folder.resolve("page.md"));
  }

  private static SplitRun run(int difference, SplitWay way, int repetition, double megabits) {
    return new SplitRun(
        new SplitCell(2, difference, way, CUBIC),
        repetition,
        40,
        megabits * 1e6,
        way == SplitWay.ONE_PATH ? null : new ProcessorCounts(7, 1, 0, 0, 0),
        null,
        3,
        new KernelCounts(3_000, 250, 2, 0),
        1.5,
        null);
  }
}
