package io.cascade.studies.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class BenchStudyTest {
  @TempDir private Path folder;

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
