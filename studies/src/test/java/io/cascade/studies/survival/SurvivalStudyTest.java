package io.cascade.studies.survival;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.studies.survival.Survivor.Carrier;
import io.cascade.studies.survival.Survivor.Fault;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class SurvivalStudyTest {
  @TempDir private Path folder;

  @Test
  void whatWasMeasuredIsReportedOnBesideTheGoals() throws Exception {
    Files.writeString(
        Files.createDirectory(folder.resolve("results")).resolve("segments.jsonl"),
        Json.lenient().writeValueAsString(survivor(Carrier.PIPES, 900, true))
            + "\n"
            + Json.lenient().writeValueAsString(survivor(Carrier.FORWARD, 1_200, false))
            + "\n");
    StringWriter said = new StringWriter();

    int code =
        new CommandLine(new SurvivalStudy())
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute("--report-only", "--out", folder.toString());

    assertThat(code).as(said.toString()).isZero();
    assertThat(Files.readString(folder.resolve("segments.md")))
        .contains(
            "| a relay killed (SIGKILL) | 2 | 20 ms | 29 ms | 30 ms |",
            "The system's load average was 0.5 when it began.",
            "One stream, 2.0 GiB: the same digest at both ends, ended cleanly. Pipes lost: 3.",
            "| < 1 s | 900 ms | met |",
            "| < 1 s | 1200 ms | **missed** |",
            "NOT WHOLE");
    assertThat(said.toString()).contains("MISSED", "A client of a chain of two pipes");
  }

  @Test
  void aFaultThatNeverWasHasNoGap() {
    assertThat(survivor(Carrier.PIPES, 900, true).gapMillis(1, Fault.CUT_OFF)).isNaN();
  }

  private static Survivor survivor(Carrier carrier, double pausedMillis, boolean whole) {
    return new Survivor(
        carrier,
        1,
        0.5,
        Map.of(Fault.KILLED, List.of(10.0, 30.0), Fault.PAUSED, List.of(pausedMillis)),
        2L << 30,
        whole,
        3);
  }
}
