package io.cascade.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.lab.soak.Growth.Rest;
import io.cascade.lab.soak.SoakReport.RelayRow;
import io.cascade.lab.soak.SoakReport.Threads;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakReportTest {
  private static final long MIB = 1 << 20;

  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init")
  SoakReportTest() {}

  @Test
  void isWrittenForPeopleAndForPrograms() throws Exception {
    SoakReport report = report(14 * MIB, 14 * MIB);
    report.write(folder, "./cascade soak --duration 5min", "Measured here.");
    assertThat(folder.resolve("soak.md"))
        .content()
        .contains("`./cascade soak --duration 5min`. Measured here.", "r1", "everything held");
    assertThat(
            Json.strict()
                .readValue(Files.readString(folder.resolve("soak.json")), SoakReport.class))
        .isEqualTo(report);
  }

  /** The page of the repository shows the result of the repository. */
  @Test
  void theKeptPageIsOfTheKeptResult() throws Exception {
    Path kept = Path.of("..", "studies", "results", "soak", "soak.json");
    StringWriter text = new StringWriter();

    Json.strict().readValue(Files.readString(kept), SoakReport.class).print(new PrintWriter(text));

    assertThat(Path.of("..", "docs", "experiments", "soak", "soak.md"))
        .content()
        .contains("```\n" + text + "```\n");
  }

  @Test
  void aHeapThatGrowsWithEveryVisitIsAFailureAlthoughTheProcessIsHardlyLarger() {
    assertThat(report(14 * MIB, 16 * MIB).failures())
        .singleElement()
        .asString()
        .startsWith("live heap grows");
  }

  @Test
  void threadsThatStayAreAFailure() {
    assertThat(report(14 * MIB, 14 * MIB, new Threads(40, 56, 70)).failures()).isEmpty();
    assertThat(report(14 * MIB, 14 * MIB, new Threads(40, 57, 70)).failures())
        .containsExactly("r1 had 40 threads at rest and 57 at the end");
  }

  @Test
  void countsItsOwnThreads() {
    long threads = Vitals.of(ProcessHandle.current().pid()).threads();
    assertThat(threads).isPositive();
    assertThat(new Vitals(1, 2, 3).most(new Vitals(2, 1, threads + 3)).threads())
        .isEqualTo(threads + 3);
  }

  private static SoakReport report(long second, long third) {
    return report(second, third, new Threads(40, 41, 50));
  }

  private static SoakReport report(long second, long third, Threads threads) {
    return SoakReport.judged(
        300,
        2,
        Map.of("held", 900L),
        0,
        7 * MIB,
        List.of(new RelayRow("r1", true, 140 * MIB, 143 * MIB, 150 * MIB, 160, 161, 190, threads)),
        List.of(
            new Rest(60, 100, 12 * MIB, 140 * MIB),
            new Rest(140, 400, 13 * MIB, 141 * MIB),
            new Rest(220, 700, second, 142 * MIB),
            new Rest(300, 1_000, third, 143 * MIB)),
        false,
        List.of());
  }
}
