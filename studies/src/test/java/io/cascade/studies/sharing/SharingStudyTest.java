package io.cascade.studies.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.study.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class SharingStudyTest {
  private static final SharingPath PATH = SharingPath.ALL.getFirst();

  @TempDir private Path folder;

  @Test
  void aFlowIsSetBesideWhatAnotherCubicConnectionLeaves() throws IOException {
    JsonLines<SharingRun> results =
        new JsonLines<>(folder.resolve("results/sharing.jsonl"), SharingRun.class, SharingRun::key);
    results.append(run(SharingFlow.CUBIC, 0, 40e6, 50e6));
    results.append(run(SharingFlow.CUBIC, 1, 44e6, 46e6));
    results.append(run(SharingFlow.SEND, 0, 72e6, 24e6));
    results.append(run(SharingFlow.OWN, 0, null, 90e6));

    int code =
        new CommandLine(new SharingStudy()).execute("--report-only", "--out", folder.toString());

    assertThat(code).isZero();
    assertThat(Files.readString(folder.resolve("sharing.md")))
        .contains("| another CUBIC connection | 42.0 (40.0 … 44.0) | 48.0 (46.0 … 50.0) |")
        .contains("| `send --direct` | 72.0 | 24.0 | 0.75 | 0.50 |")
        .contains("| `send --direct --controls own` (failed 1 times) | - |")
        .doesNotContain("NaN");
  }

  private static SharingRun run(
      SharingFlow what, int repetition, @Nullable Double flow, double beside) {
    return new SharingRun(PATH, what, repetition, flow, beside, 0.5, "");
  }
}
