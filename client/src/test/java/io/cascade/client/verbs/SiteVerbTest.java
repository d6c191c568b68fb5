package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.client.ClientFailures;
import io.cascade.client.siting.SitingDocument;
import io.cascade.command.Verbs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** {@code site}: from files to a choice, as a person meets it. */
class SiteVerbTest {
  private static final Path EXAMPLES = Path.of("..", "docs", "examples");

  @TempDir Path folder;

  @SuppressWarnings("NullAway.Init")
  SiteVerbTest() {}

  @Test
  void theExamplesChoiceIsProvenAndExplained() {
    Run run = example("--k", "2");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out)
        .startsWith("Rent 2 of 4 candidates for ")
        .contains("proven, no other choice within the limits achieves more")
        .contains("2 of 2 demands are served")
        .contains("greedy")
        .contains("lost without it");
    assertThat(run.err).isEmpty();
  }

  @Test
  void jsonIsOneDocument() {
    SitingDocument document =
        Json.strict().readValue(example("--k", "3", "--json").out, SitingDocument.class);

    assertThat(document.proven()).isTrue();
    assertThat(document.sites()).hasSize(3);
    assertThat(document.ways())
        .allSatisfy(way -> assertThat(way.seconds()).isLessThan(way.directSeconds()));
    assertThat(document.gap()).isEqualTo(0);
  }

  @Test
  void aBudgetMayStandForANumber() {
    SitingDocument document =
        Json.strict().readValue(example("--budget", "0.05", "--json").out, SitingDocument.class);

    assertThat(document.pricePerHour()).isLessThanOrEqualTo(0.05);
    assertThat(document.sites()).hasSize(1);
  }

  @Test
  void greedySaysThatItProvesNothing() {
    assertThat(example("--k", "1", "--greedy").out)
        .contains("chosen one after the other, not proven; none could achieve more than");
  }

  @Test
  void linksMayStandInAFileOfTheirOwn() throws IOException {
    Path candidates = file("sites.json", "{'nodes':[{'name':'a','pricePerHour':0}]}");
    Path links =
        file(
            "links.json",
            "{'links':[{'from':'s','to':'d','rttMillis':200,'lossRate':0.001},"
                + "{'from':'s','to':'a','rttMillis':100,'lossRate':0.0005},"
                + "{'from':'a','to':'d','rttMillis':100,'lossRate':0.0005}]}");
    Path demands = file("demands.json", "{'demands':[{'from':'s','to':'d'}]}");

    Run run =
        run(
            "--candidates",
            candidates.toString(),
            "--demands",
            demands.toString(),
            "--links",
            links.toString(),
            "--k",
            "1");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out).contains("via a").contains("gained over direct rates");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'demands':[]} | demands: none (expected: {\"demands\": [{\"from\": \"a\", \"to\": \"b\", \"bytes\": 1e9}]})",
        "{'demands':[{'from':'tokyo'}]} | demands[0].to: missing (expected: a value)",
        "{'demands':[{'from':'tokyo','to':'tokyo'}]} | demands[0]: demand: tokyo→tokyo (expected: two different nodes)",
        "{'demands':[{'from':'tokyo','to':'lisbon','bytes':0.5}]} | demands[0]: bytes: 0.5 (expected: a whole number from 1 to 1e18)",
        "{'demands':[{'from':'tokyo','to':'lisbon','rate':1}]} | demands[0].rate: unknown field (expected: bytes, from, requiredBitsPerSecond, to, weight)",
      })
  void badDemandsAreOneLineWithPlaceAndFix(String demands, String message) throws IOException {
    Path file = file("demands.json", demands);

    Run run =
        run(
            "--candidates",
            EXAMPLES.resolve("sites.json").toString(),
            "--demands",
            file.toString(),
            "--k",
            "1");

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err).isEqualTo("site: " + file + ": " + message + System.lineSeparator());
  }

  @Test
  void aNodeThatNobodyMeasuredIsNamed() throws IOException {
    Path file = file("demands.json", "{'demands':[{'from':'tokyo','to':'oslo','bytes':1}]}");

    assertThat(
            run(
                    "--candidates",
                    EXAMPLES.resolve("sites.json").toString(),
                    "--demands",
                    file.toString(),
                    "--k",
                    "1")
                .err)
        .contains("demand tokyo→oslo: oslo (expected: a node that some measured link touches)");
  }

  @Test
  void withoutAPriceNothingCanBeRented() throws IOException {
    Path file = file("sites.json", "{'nodes':[{'name':'a'}],'links':[]}");

    assertThat(run("--candidates", file.toString(), "--demands", "none", "--k", "1").err)
        .contains("none has a pricePerHour (expected: one for every candidate");
  }

  @Test
  void howManyMustBeSaid() {
    Run run = example();

    assertThat(run.exit).isEqualTo(2);
    assertThat(run.err).contains("how many? (expected: --k N, --budget PRICE, or both)");
  }

  private Path file(String name, String json) throws IOException {
    return Files.writeString(folder.resolve(name), json.replace('\'', '"'));
  }

  private static Run example(String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--candidates",
                EXAMPLES.resolve("sites.json").toString(),
                "--demands",
                EXAMPLES.resolve("demands.json").toString()));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(String[]::new));
  }

  private static Run run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line =
        Verbs.prepare(new CommandLine(new SiteVerb()), Map.of(), new ClientFailures())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    return new Run(line.execute(arguments), out.toString(), err.toString());
  }

  private record Run(int exit, String out, String err) {}
}
