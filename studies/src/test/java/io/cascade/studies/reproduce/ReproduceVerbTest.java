package io.cascade.studies.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.experiment.Result;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

  @Test
  void theMachineIsNotedWithTheFirstResult() {
    Path out = folder.resolve("out");
    ReproduceVerb verb = new ReproduceVerb();
    assertThat(run(verb, "--report-only", "--out", out.toString(), file.toString())).isZero();
    Path note = out.resolve("results").resolve("e.machine.json");
    assertThat(note).doesNotExist();

    verb.append(
        new Result(
            "one",
            "e",
            "one",
            Map.of(),
            1,
            1,
            "",
            0,
            null,
            null,
            0,
            null,
            0,
            null,
            List.of(),
            List.of(),
            List.of(),
            "no such network",
            null));

    assertThat(note).isNotEmptyFile();
    assertThat(note.resolveSibling("e.jsonl")).isNotEmptyFile();
  }

  private int run(String... arguments) {
    return run(new ReproduceVerb(), arguments);
  }

  private int run(ReproduceVerb verb, String... arguments) {
    return new CommandLine(verb)
        .setOut(new PrintWriter(said, true))
        .setErr(new PrintWriter(said, true))
        .execute(arguments);
  }
}
