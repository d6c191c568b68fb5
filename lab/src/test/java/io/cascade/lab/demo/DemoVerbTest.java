package io.cascade.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.command.Verbs;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(60)
class DemoVerbTest {
  @TempDir private Path folder;

  @Test
  void refusesAChartInAFolderThatIsNotThereBeforeItBegins() {
    Path chart = folder.resolve("none").resolve("chart.svg");
    StringWriter said = new StringWriter();
    CommandLine verb =
        Verbs.prepare(new CommandLine(new DemoVerb()), Map.of(), Throwable::toString);
    verb.setOut(new PrintWriter(said)).setErr(new PrintWriter(said));

    int code = verb.execute("--once", "--size", "1kB", "--plot", chart.toString());

    assertThat(said.toString()).startsWith("demo: --plot " + chart + ": no such folder");
    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
  }
}
