package io.cascade.studies.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@Timeout(60)
class BenchStudyTest {
  private static final Machine MACHINE =
      new Machine("a processor", 2, "6", "25", "cubic", "one each", 0, "2026-11-30");

  @TempDir private Path folder;

  @Test
  void measuresEachTimeAndKeepsEveryReport() throws Exception {
    assertThat(measure("first")).isZero();
    assertThat(measure("second")).isZero();

    assertThat(Files.readAllLines(folder.resolve("results/bench.jsonl"))).hasSize(2);
    assertThat(folder.resolve("bench.md")).content().contains("second").doesNotContain("first");
  }

  @Test
  void failuresAreKeptAndTold() throws Exception {
    assertThat(measure("first", "a byte was lost")).isEqualTo(1);

    assertThat(folder.resolve("bench.md")).content().contains("a byte was lost");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--only=bulk", "--against=socat", "--quick"})
  void whatMeasuresAPartNeedsAFolderOfItsOwn(String option) {
    StringWriter said = new StringWriter();

    int code = new CommandLine(new BenchStudy()).setErr(new PrintWriter(said)).execute(option);

    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(said.toString())
        .contains(
            option.replaceFirst("=.*", "") + " would replace ", "name another folder with --out");
  }

  private int measure(String notice, String... failures) {
    BenchReport report =
        new BenchReport(
            MACHINE,
            1,
            1,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(notice),
            List.of(failures));
    BenchStudy study =
        new BenchStudy() {
          @Override
          public Bench<String, BenchReport> open(int number) {
            return _ -> report;
          }
        };
    PrintWriter said = new PrintWriter(new StringWriter());
    return new CommandLine(study).setOut(said).setErr(said).execute("--out", folder.toString());
  }

  @Test
  void refusesAFolderThatCannotBeMadeBeforeItMeasures() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    StringWriter said = new StringWriter();
    StringWriter failed = new StringWriter();
    CommandLine verb = new CommandLine(new BenchStudy());
    verb.setOut(new PrintWriter(said)).setErr(new PrintWriter(said));
    verb.setExecutionExceptionHandler((failure, _, _) -> {
      failed.append(failure.toString());
      return 1;
    });

    int code =
        verb.execute(
            "--quick", "--only", "tls", "--against", "nobody", "--out", "" + file.resolve("in"));

    assertThat(code).isEqualTo(1);
    assertThat(failed.toString()).contains(file.toString());
    assertThat(said.toString()).isEmpty();
  }
}
