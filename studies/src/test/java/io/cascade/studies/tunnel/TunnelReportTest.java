package io.cascade.studies.tunnel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TunnelReportTest {
  @TempDir Path folder;

  @Test
  void cellsAreComparedByTheMedianOfTheirRuns() throws IOException {
    String page =
        page(
            List.of(),
            run(TunnelWay.SINGLE, 3, 0.1, 1, 0.5),
            run(TunnelWay.CASCADED, 3, 0.1, 1, 0.6),
            run(TunnelWay.CASCADED, 3, 0.1, 2, 0.7),
            run(TunnelWay.CASCADED, 3, 0.1, 3, 0.2));

    assertThat(page)
        .contains("| cascaded | 0.60 (0.74) |")
        .contains("cascaded no worse than single, r0 > 0 | 1 of 1 | × 1.20 | × 1.20 |")
        .contains(
            "spurious retransmissions at most 0.1 % of segments, single and cascaded | 0 of 2 |")
        .contains("single no worse than end to end, r0 > 0 | not measured |");
  }

  @Test
  void aRestartCountsFromTheKill() throws IOException {
    RestartRun late = new RestartRun("gw1", 1, 1.7, 0.1, 0.4, 1, null);
    RestartRun early = new RestartRun("gw2", 1, 1.2, 0.1, 0.3, 1, null);

    assertThat(page(List.of(late, early), run(TunnelWay.CASCADED, 1, 0.1, 1, 0.5)))
        .contains(
            "bytes arrive again within 2 s after a gateway was killed, sessions continue | 1 of 2 |")
        .contains("| gw1 #1 | 1.70 | 0.10 | 0.40 | 2.10 |");
  }

  @Test
  void tellsOfNoRunButItsOwn() throws IOException {
    assertThat(page(List.of(), run(TunnelWay.SINGLE, 3, 0.1, 1, 0.5)))
        .doesNotContainPattern("20[0-9]{2}-[0-9]{2}-[0-9]{2}");
  }

  @Test
  void runsOfAnotherLengthAreOtherRuns() {
    TunnelCell cell = new TunnelCell(TunnelWay.SINGLE, 3, 0.1);

    assertThat(TunnelRun.key(cell, 1, 10)).isNotEqualTo(TunnelRun.key(cell, 1, 30));
    assertThat(run(TunnelWay.SINGLE, 3, 0.1, 1, 0.5).key()).isEqualTo(TunnelRun.key(cell, 1, 30));
  }

  private String page(List<RestartRun> restarts, TunnelRun... runs) throws IOException {
    new TunnelReport(Arrays.asList(runs), restarts, "Measured here.")
        .page()
        .writeMarkdown(folder, "page");
    return Files.readString(folder.resolve("page.md"));
  }

  private static TunnelRun run(
      TunnelWay way, int sessions, double loss, int repetition, double megabits) {
    TunnelCell cell = new TunnelCell(way, sessions, loss);
    return new TunnelRun(
        cell, repetition, 30.01, List.of(1e6 * megabits), 0.06, 0.08, 0.1, 1_000, 5, 0, 2, 1, null);
  }
}
