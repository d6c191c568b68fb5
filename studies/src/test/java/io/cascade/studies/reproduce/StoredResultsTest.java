package io.cascade.studies.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.command.Verbs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Pages in the repository are what their verbs write about the results in the repository. */
@Timeout(120)
class StoredResultsTest {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final String LAUNCHER = "cascade.launcher";

  @TempDir private Path folder;

  @BeforeAll
  static void experimentsAreThoseOfTheCheckout() {
    System.setProperty(LAUNCHER, CHECKOUT.resolve("cascade").toString());
  }

  @AfterAll
  static void noLauncher() {
    System.clearProperty(LAUNCHER);
  }

  @ParameterizedTest
  @CsvSource({
    "'',''",
    "fairness,''",
    "sharing,''",
    "coded-lab,''",
    "measured,''",
    "rivals,''",
    "transfers,''",
    "splitter-combiner,''",
    "tcp-nc-tunnel,''",
    "bench,''",
    "bench,peers",
    "bench,allocations"
  })
  void rewritesItsPageByteForByte(String study, String below) throws IOException {
    Path pages = CHECKOUT.resolve("docs/experiments").resolve(below);
    Path results = CHECKOUT.resolve("studies/results").resolve(below);
    copy(pages, folder);
    copy(results, folder.resolve("results"));
    List<String> arguments = new ArrayList<>(study.isEmpty() ? List.of() : List.of(study));
    arguments.addAll(List.of("--report-only", "--out", folder.toString()));
    StringWriter said = new StringWriter();
    CommandLine verb = new CommandLine(new ReproduceVerb());
    Verbs.prepare(verb, Map.of(), e -> e.toString());
    verb.setOut(new PrintWriter(said, true)).setErr(new PrintWriter(said, true));

    int code = verb.execute(arguments.toArray(String[]::new));

    assertThat(code).as(said.toString()).isZero();
    assertThat(said.toString()).contains("written: " + folder);
    try (Stream<Path> files = Files.walk(folder)) {
      // Pictures depend on the fonts of the machine.
      for (Path file : files.filter(one -> one.toString().endsWith(".md")).toList()) {
        assertThat(Files.readString(file))
            .as(file.toString())
            .isEqualTo(Files.readString(pages.resolve(folder.relativize(file))));
      }
    }
  }

  private static void copy(Path from, Path into) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = into.resolve(from.relativize(file));
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
      }
    }
  }
}
