package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.client.ClientFailures;
import io.cascade.command.Verbs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code plan --topology}: the same plan without an orchestrator. */
class DescribedPlanTest {
  private static final Path ROOT = Path.of("..");
  private static final String EXAMPLE = ROOT.resolve("docs/examples/network.json").toString();

  @Test
  void theExampleOfTheDocumentsDoesWhatTheySay() throws IOException {
    List<String> page = Files.readAllLines(ROOT.resolve("docs/tasks/worth-it.md"));
    String command =
        page.stream()
            .filter(line -> line.startsWith("./cascade plan --topology"))
            .findFirst()
            .orElseThrow();
    assertThat(page).anyMatch(line -> line.contains("answers `CASCADE`, via oregon"));

    Run run =
        run(
            Arrays.stream(command.replaceFirst(" *#.*", "").split(" "))
                .skip(2)
                .map(word -> word.startsWith("docs/") ? ROOT.resolve(word).toString() : word)
                .toArray(String[]::new));

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out).contains("Decision: CASCADE").containsPattern("\\* +via oregon ");
    assertThat(run.err).isEmpty();
  }

  @Test
  void everyCandidateIsInTheTable() {
    Run run = example("--bytes", "1GiB");

    assertThat(run.out)
        .startsWith(
            "Plan for 1.00 GiB to tokyo\nThrough oregon: about 6 times as fast as direct (likely ")
        .contains("Why: Directly 1.55 Mbit/s at a round trip of 160 ms and a loss of 0.31 %;")
        .contains("How sure: Relays are faster with a probability of ")
        .contains("via oregon", "via frankfurt", "direct, 4 connections", "direct with bbr")
        .contains("slowest", "62/20000")
        .doesNotContain("Faster still")
        .contains("Decision: CASCADE");
  }

  /** The table has a direct way that is faster than the relays. */
  @Test
  void theSentenceComparesWithTheBestDirectWayOfTheTable() {
    Run run = example("--bytes", "1GiB", "--capacity", "100Mbit");

    assertThat(run.out.replaceAll("\\s+", " "))
        .containsPattern(
            "Through oregon: about \\S+ times as fast as direct \\(likely [^)]+\\);"
                + " direct with bbr would be \\S+ times as fast as that\\.");
  }

  @Test
  void severalRoutesTogetherAreATableOfTheirOwn() {
    assertThat(example("--bytes", "1GiB", "--paths", "2").out)
        .contains("2 routes together")
        .contains("Routes together (between two relays: open --pipes")
        .containsPattern("via oregon +\\d");
  }

  @Test
  void routesOutOfRangeAreMisuse() {
    assertThat(example("--paths", "9").exit).isEqualTo(2);
    assertThat(example("--paths", "9").err).contains("--paths 9 (expected: 1 to 8)");
  }

  @Test
  void aPriceWithoutARateToReachIsOneLine() {
    Run run = example("--objective", "price");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err.lines()).singleElement().asString().contains("a rate to reach");
  }

  @Test
  void jsonIsThePlanOfTheContract() {
    assertThat(
            Json.strict()
                .readValue(example("--json").out, io.cascade.api.orchestrator.Plan.class)
                .relays())
        .containsExactly("oregon");
  }

  @Test
  void aBadFileIsOneLineWithPlaceAndFix(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("net.json"), "{\"links\": [{\"from\": \"a\", \"too\": 1}]}");

    Run run = run("--topology", file.toString(), "--from", "a", "--to", "b");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.out).isEmpty();
    assertThat(run.err.lines())
        .singleElement()
        .asString()
        .startsWith("plan: " + file + ": links[0].too: unknown field (expected: bothDirections, ");
  }

  @Test
  void anUnknownNodeIsNamedWithThoseThatThereAre() {
    Run run = run("--topology", EXAMPLE, "--from", "virginia", "--to", "oslo");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err)
        .isEqualToNormalizingNewlines(
            "plan: --to: oslo (expected: one of frankfurt, oregon, tokyo, virginia)\n");
  }

  @Test
  void withoutAStartItIsMisuse() {
    Run run = run("--topology", EXAMPLE, "--to", "tokyo");

    assertThat(run.exit).isEqualTo(2);
    assertThat(run.err).contains("--topology needs --from NODE");
  }

  private static Run example(String... more) {
    return run(
        Stream.concat(
                Stream.of("--topology", EXAMPLE, "--from", "virginia", "--to", "tokyo"),
                Arrays.stream(more))
            .toArray(String[]::new));
  }

  private static Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        Verbs.prepare(new CommandLine(new PlanVerb()), Map.of(), new ClientFailures())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new Run(exit, out.toString(), err.toString());
  }

  record Run(int exit, String out, String err) {}
}
