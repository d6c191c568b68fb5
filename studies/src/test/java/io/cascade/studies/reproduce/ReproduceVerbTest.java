package io.cascade.studies.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

@Timeout(60)
class ReproduceVerbTest {
  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Path file;

  private final StringWriter said = new StringWriter();

  @BeforeEach
  void write() throws Exception {
    file = folder.resolve("e.yaml");
    Files.writeString(
        file,
        """
        title: An experiment
        repetitions: 2
        sweeps:
          - {name: one, rtt: 64ms, loss: 0.1%, rate: 32Mbit, route: direct}
        """);
  }

  @Test
  void aFilesOwnRepetitionsAreMadeUnlessOthersAreAskedFor() {
    assertThat(run("--check", file.toString())).isZero();
    assertThat(said.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("one | "));
    said.getBuffer().setLength(0);

    assertThat(run("--check", "--repetitions", "3", file.toString())).isZero();
    assertThat(said.toString().lines()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource({
    "--repetitions,0,1 or more",
    "--parallel,0,1 or more",
    "--seconds,0,more than 0",
    "--seconds,NaN,more than 0"
  })
  void valuesOutOfRangeAreRefusedByName(String option, String value, String expected) {
    assertThat(run(option, value, file.toString())).isEqualTo(2);

    assertThat(said.toString()).contains(option + " ", "expected: " + expected);
  }

  @Test
  void aFilesReportIsWrittenWhereAsked() {
    Path out = folder.resolve("out");

    assertThat(run("--report-only", "--out", out.toString(), file.toString())).isZero();

    assertThat(out.resolve("README.md")).content().contains("[An experiment](e.md)");
    assertThat(out.resolve("e.md")).isNotEmptyFile();
    assertThat(out.resolve("model.md")).doesNotExist();
  }

  private int run(String... arguments) {
    return new CommandLine(new ReproduceVerb())
        .setOut(new PrintWriter(said, true))
        .setErr(new PrintWriter(said, true))
        .execute(arguments);
  }
}
