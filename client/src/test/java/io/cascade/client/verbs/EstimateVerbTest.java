package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.Json;
import io.cascade.client.ClientFailures;
import io.cascade.command.Verbs;
import io.cascade.kernel.settings.KernelSettings;
import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.LossDivision;
import io.cascade.model.estimate.SenderModel;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.units.Rate;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import tools.jackson.databind.JsonNode;

/** The verb as a person calls it; no orchestrator is there. */
class EstimateVerbTest {
  private static final String PAPER = "--rtt 64ms --loss 0.1% --capacity 32Mbit";

  @SuppressWarnings("NullAway.Init")
  @TempDir
  private Path folder;

  @Test
  void thePapersRunningCaseForPeople() {
    Run run =
        run("--model mathis --constant 1.2247 " + PAPER + " --relays 1 --loss-division shared");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out)
        .contains("direct path: mathis, as asked")
        .contains("7.01 Mbit/s", "21.9 %", "its congestion", "via 1 relay", "slowest")
        .contains(
            "The cascade is 2.83 times as fast as the direct connection; direct with bbr would be"
                + " 1.5 times as fast as the cascade.");
  }

  /** A row that beats the cascade, or that nothing limits, is never left out of the sentence. */
  @Test
  void theConclusionNamesWhatIsBetterWithoutRelays() {
    String path = "--model cubic --rtt 64ms --loss 0.31% --relays 1 --loss-division shared";

    assertThat(run(path + " --capacity 32Mbit --bytes 100MB").out)
        .containsPattern(
            "times as fast as the direct connection; direct with bbr would be 2\\.\\d"
                + " times as fast as the cascade\\.\n");
    assertThat(run(path + " --bytes 100MB").out)
        .containsPattern("direct with bbr +unlimited .* at least ")
        .contains(
            " as fast as ",
            "4 direct connections",
            "Nothing that was given limits direct with bbr");
  }

  @Test
  void boundsThatNothingSupportsAreWords() {
    assertThat(run("--model cubic --rtt 64ms --loss 0/400 --hops 32ms/0of400,32ms/0of400").out)
        .contains("known to a factor of 10 at best")
        .doesNotContain("any number of)");
    assertThat(run("--model cubic --rtt 1ms --loss 0.00000001%").out).contains("beyond 1 Tbit/s");
  }

  @Test
  void relaysUseTheQuickestOfTheControlsThatTheyMay() {
    Run with =
        run(
            "--model cubic --rtt 64ms --loss 1% --capacity 32Mbit --relays 1 --loss-division shared"
                + " --controls cubic,bbr --json");

    assertThat(with.exit).as(with.err).isZero();
    assertThat(with.json().toString()).contains("BBR");
    Run alone = run("--model cubic " + PAPER + " --controls bbr");
    assertThat(alone.exit).isEqualTo(2);
    assertThat(alone.err).contains("--controls: [BBR] (expected: with relays");
  }

  @Test
  void withoutAModelThisMachinesOwnIsTaken() {
    String own = KernelSettings.congestionControl();
    SenderModel expected =
        own == null
            ? SenderModel.CUBIC
            : SenderModel.ofCongestionControl(own).orElse(SenderModel.CUBIC);

    Run run = run(PAPER);

    assertThat(run.out).contains("direct path: " + expected.title() + ", ");
    assertThat(run.out).contains(own == null ? "does not say" : "this machine's default");
  }

  @Test
  void jsonIsTheContractsDocument() {
    JsonNode estimate =
        run("--model pftk --hops 32ms/0.05%/32Mbit/cubic,32ms/31of10000//bbr --bytes 100MB"
                + " --setup sequential --relay chunked:1MiB --rwnd 64KiB --json")
            .json();

    assertThat(estimate.get("model").asString()).isEqualTo("PFTK");
    assertThat(estimate.get("bytes").asLong()).isEqualTo(100_000_000);
    JsonNode cascade = estimate.get("cascade");
    assertThat(cascade.get("setupSeconds").asDouble()).isCloseTo(0.032 + 0.064, within(1e-9));
    assertThat(cascade.get("hops").get(0).get("model").asString()).isEqualTo("CUBIC");
    assertThat(cascade.get("hops").get(1).get("lossRateHigh").asDouble()).isGreaterThan(0.0031);
    assertThat(cascade.get("hops").get(1).get("limit").asString()).isEqualTo("RECEIVE_WINDOW");
    assertThat(estimate.get("direct").get("hops").get(0).get("rttMillis").asDouble()).isEqualTo(64);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--model cubic " + PAPER + " --bytes 100MB --ack-every 2 --mss 8948",
        "--model pftk --rto 1s --rwnd 64KiB " + PAPER,
        "--model bbr3 --loss 1% --rtt 1s --no-timestamps --mtu 9000",
        "--model mathis --variant as-published " + PAPER + " --bytes 1GB --windows 3",
        "--model cubic --hops 32ms/0.05%,32ms/0.05% --relay store --bytes 1MB",
        "--model cubic --rtt 60ms --loss 1% --hops 32ms/0,32ms/0 --setup chained",
        "--model bbr --rtt 60ms --loss 50% --capacity 1Mbit --bytes 1MB",
        "--model cubic --rtt 60ms --loss 0",
      })
  void everyFlagHasAnAnswer(String line) {
    Run text = run(line);
    assertThat(text.exit).as(text.err).isZero();
    assertThat(text.out).contains("direct").doesNotContain("NaN", "Infinity", "null");
    assertThat(run(line + " --json").json().isObject()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                   | --rtt: not given (expected: --rtt and --loss",
        "--rtt 64ms                           | --loss: not given",
        "--rtt 64 --loss 0.1%                 | '--rtt': '64' (expected: a time such as 64ms",
        "--rtt 64ms --loss most               | '--loss': 'most' (expected: a loss such as",
        "--rtt 64ms --loss 1% --capacity fast | '--capacity': 'fast' (expected: a rate",
        "--rtt 64ms --loss 1% --model vegas   | '--model': 'vegas' (expected: one of",
        "--rtt 64ms --loss 1% --relays 1      | --loss-division: not given (expected: SHARED or UNCHANGED",
        "--rtt 64ms --loss 1% --relays 16 --loss-division shared | --relays: 16 (expected: 1..15)",
        "--rtt 64ms --loss 1% --relays 1 --loss-division half | '--loss-division'",
        "--rtt 64ms --hops 1ms/1%             | --loss: not given",
        "--hops 1ms                           | hop 1: '1ms'",
        "--rtt 64ms --loss 1% --relays 1 --loss-division shared --hops 1ms/1% | --relays: 1 (expected: on a path without",
        "--rtt 64ms --loss 1% --ack-every 3   | --ack-every: 3 (expected: 1 or 2)",
        "--rtt 64ms --loss 1% --constant -1   | --constant: -1.0 (expected: > 0",
        "--rtt 64ms --loss 1% --rwnd 0        | --rwnd: 0 (expected: >= 1)",
        "--rtt 64ms --loss 1% --parallel 0    | --parallel: 0 (expected: 1..1000)",
        "--rtt 64ms --loss 1% --mss 0         | --mss: 0",
        "--rtt 64ms --loss 1% --mtu 70000     | --mtu: 70000 (expected: 53..65535)",
        "--rtt 64ms --loss 1% --mtu 1500 --mss 1448 | expected: one of --mss and --mtu",
        "--rtt 64ms --loss 1% --relay later   | '--relay': 'later' (expected: pipelined",
        "--rtt 64ms --loss 1% --relay store --windows 1 | --windows: 1.0 (expected: with --relay pipelined",
        "--rtt 64ms --loss 1% --variant new   | 'new' (expected: corrected or as-published)",
        "--rtt 64ms --loss 1% --variant as-published --model cubic | --variant: as-published (expected: with model mathis",
        "--rtt 64ms --loss 1% --variant as-published --relay store | --relay: StoreAndForward (expected: pipelined",
        "--rtt 64ms --loss 1% --plot a.svg    | expected: with --sweep",
        "--loss 1% --sweep rtt=1ms --json     | --json: a sweep is printed as CSV",
        "--loss 1% --sweep rtt=1ms --plot a.gif | --plot: 'a.gif' (expected: FILE.svg or FILE.png)",
        "--loss 1% --sweep rtt=1ms,speed=2    | 'speed' (expected one of: rtt",
        "--hops 1ms/1% --sweep rtt=1ms        | --sweep: the hops of --hops are fixed",
        "--loss 1% --sweep rtt=1ms --plot a.svg --y gain | --plot: gain: known of no point (expected: with --relays",
      })
  void misuseNamesTheFlagAndTheFix(String line, String words) {
    Run run = run(line);

    assertThat(run.exit).as(run.out).isEqualTo(2);
    assertThat(run.err.lines()).hasSize(2);
    assertThat(run.err).contains(words);
    assertThat(run.err).doesNotContain("Exception");
  }

  @Test
  void aSweepIsCsvHeldAgainstTheModel() {
    Run run =
        run(
            "--model mathis --capacity 32Mbit --bytes 10MB --relays 1 --loss-division unchanged"
                + " --sweep rtt=32ms..64ms:x2,loss=0.01%,1%");

    assertThat(run.exit).as(run.err).isZero();
    assertThat(run.out).doesNotContain("\"").endsWith("\r\n");
    List<String[]> rows =
        Arrays.stream(run.out.split("\r\n", -1))
            .filter(line -> !line.isEmpty())
            .map(line -> line.split(",", -1))
            .toList();
    assertThat(rows).hasSize(5).allMatch(row -> row.length == rows.getFirst().length);
    int at = 1;
    for (double rtt : new double[] {0.032, 0.064}) {
      for (double loss : new double[] {1e-4, 1e-2}) {
        Map<String, String> row = row(rows, at++);
        Hop path =
            Hop.of(rtt, loss)
                .withModel(MathisThroughput.RANDOM_LOSS)
                .withCapacity(Rate.ofMegabits(32));
        Cascade direct = Cascade.direct(path);
        Cascade cascade = Cascade.equalHops(path, 2, LossDivision.UNCHANGED);
        same(row, "rtt_seconds", rtt);
        same(row, "loss", loss);
        same(row, "direct_bits_per_second", direct.steadyBitsPerSecond());
        same(row, "direct_seconds", direct.deliver(10_000_000).totalSeconds());
        same(row, "direct_utilisation", direct.steadyBitsPerSecond() / 32e6);
        same(row, "cascade_bits_per_second", cascade.steadyBitsPerSecond());
        same(row, "cascade_seconds", cascade.deliver(10_000_000).totalSeconds());
        assertThat(row).containsEntry("relays", "1").containsEntry("model", "mathis");
      }
    }
    assertThat(row(rows, 1)).containsEntry("direct_limit", "capacity");
    assertThat(row(rows, 2)).containsEntry("direct_limit", "congestion_control");
  }

  private static Map<String, String> row(List<String[]> rows, int index) {
    Map<String, String> row = new LinkedHashMap<>();
    for (int i = 0; i < rows.getFirst().length; i++) {
      row.put(rows.getFirst()[i], rows.get(index)[i]);
    }
    return row;
  }

  private static void same(Map<String, String> row, String column, double expected) {
    assertThat(Double.parseDouble(Objects.requireNonNull(row.get(column))))
        .as(column)
        .isCloseTo(expected, within(expected * 1e-8));
  }

  @Test
  void aSweepIsDrawn() throws Exception {
    Path svg = folder.resolve("sweep.svg");
    Path png = folder.resolve("sweep.PNG");
    Path csv = folder.resolve("sweep.csv");
    String sweep = "--model cubic --capacity 32Mbit --sweep rtt=8ms..512ms:x2,loss=0.001%,0.1%";

    Run toFile = run(sweep + " --csv " + csv + " --plot " + svg);
    Run picture =
        run(sweep + " --relays 1 --loss-division shared --y rate --plot " + png + " --csv " + csv);

    assertThat(toFile.exit).as(toFile.err).isZero();
    assertThat(toFile.out).isEmpty();
    assertThat(Files.readAllLines(csv)).hasSize(15);
    String drawn = Files.readString(svg).replaceFirst("<!DOCTYPE[^>]*>", "");
    assertThat(
            DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(drawn.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement()
                .getTagName())
        .isEqualTo("svg");
    assertThat(picture.exit).as(picture.err).isZero();
    assertThat(ImageIO.read(png.toFile()).getWidth()).isEqualTo(800);
  }

  @Test
  void aFileThatCannotBeWrittenIsNamed() {
    Run run =
        run("--model cubic --loss 1% --sweep rtt=1ms --csv " + folder.resolve("no/such/a.csv"));

    assertThat(run.exit).isEqualTo(1);
    assertThat(run.err.lines()).singleElement().asString().contains("a.csv: cannot be written");
  }

  private static Run run(String line) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine root = new CommandLine(new Root());
    root.addSubcommand(new EstimateVerb());
    int exit =
        Verbs.prepare(root, Map.of("XDG_CONFIG_HOME", "/nonexistent"), new ClientFailures())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(("estimate " + line).strip().split(" +"));
    return new Run(exit, out.toString(), err.toString());
  }

  @Command(name = "cascade")
  static final class Root {}

  record Run(int exit, String out, String err) {
    JsonNode json() {
      return Json.strict().readTree(out);
    }
  }
}
