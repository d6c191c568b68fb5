package io.cascade.studies.beside;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class BesideStudyTest {
  @TempDir private Path folder;

  @Test
  void whatWasMeasuredIsReportedOnWithoutMeasuring() throws Exception {
    BesideRun messages =
        new BesideRun(
            BesideCell.MESSAGES_BESIDE_BBR,
            1,
            new BesideRun.Latency(190, 44.3, 78.7, 81, 82.1),
            null,
            "ended by BYTES",
            1.4);
    BesideRun bulk = new BesideRun(BesideCell.BULK_ALONE, 1, null, 46.9e6, "-", 1);
    Path results = Files.createDirectory(folder.resolve("results"));
    Files.writeString(
        results.resolve("running-stream.jsonl"),
        Json.lenient().writeValueAsString(messages)
            + "\n"
            + Json.lenient().writeValueAsString(bulk)
            + "\n");
    StringWriter said = new StringWriter();

    int code =
        new CommandLine(new BesideStudy())
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute("--report-only", "--out", folder.toString());

    assertThat(code).as(said.toString()).isZero();
    assertThat(Files.readString(folder.resolve("running-stream.md")))
        .contains(
            "| throughput test, BBR | 190 | 44.3 | 78.7 | 81.0 | 82.1 | ended by BYTES | 1.4 |")
        .contains("| nothing | 46.9 | - | 1.0 |");
  }
}
