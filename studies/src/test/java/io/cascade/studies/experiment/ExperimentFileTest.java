package io.cascade.studies.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExperimentFileTest {
  private static final String SWEEP =
      """
      title: A title
      seconds: 10s
      warmup: 2s
      repetitions: 2
      sweeps:
        - name: one
          rtt: [32ms, 64ms]
          loss: 0.1%
          rate: 32Mbit
          control: reno
          division: [unchanged, divided]
          route: [direct, 1 relay]
      """;

  private static Experiment parse(String text) {
    return ExperimentFile.parse("e.yaml", "e", text, ExperimentFile.Wish.NONE);
  }

  @Test
  void aDirectCellIsMeasuredOnceHoweverRelaysWouldDivideTheLoss() {
    List<Cell> cells = parse(SWEEP).cells();
    assertThat(cells).hasSize(2 * (1 + 2));
    assertThat(cells.stream().filter(cell -> cell.route().direct())).hasSize(2);
  }

  @Test
  void dividedLossIsThePathsAndUnchangedLossIsEveryHops() {
    Experiment experiment = parse(SWEEP);
    Cell divided = experiment.cells(Map.of("division", "divided", "rtt", "64ms")).getFirst();
    Cell unchanged = experiment.cells(Map.of("division", "unchanged", "rtt", "64ms")).getFirst();
    assertThat(divided.lossProbability()).isCloseTo(0.001, within(1e-12));
    assertThat(unchanged.links())
        .allSatisfy(link -> assertThat(link.lossProbability()).isEqualTo(0.001));
    Cell direct = experiment.cells(Map.of("route", "direct", "rtt", "64ms")).getFirst();
    assertThat(direct.lossProbability()).isCloseTo(0.001, within(1e-12));
    assertThat(direct.rttSeconds()).isCloseTo(0.064, within(1e-12));
  }

  @Test
  void relaysInFixedPlacesCutThePathThere() {
    Cell cell =
        parse(
                SWEEP
                    .replace("[direct, 1 relay]", "all")
                    .replace("division: [unchanged, divided]", "at: 25%+75%"))
            .cells(Map.of("route", "via r1", "rtt", "64ms"))
            .getFirst();
    assertThat(cell.links()).extracting(PathLink::rttSeconds).containsExactly(0.016, 0.032, 0.016);
  }

  @Test
  void allRoutesAreTheDirectOneAndEverySetOfRelays() {
    assertThat(
            parse(
                    SWEEP
                        .replace("[direct, 1 relay]", "all")
                        .replace("division: [unchanged, divided]", "at: 25%+75%"))
                .cells(Map.of("rtt", "64ms")))
        .extracting(cell -> cell.inputs().get("route"))
        .containsExactlyInAnyOrder("direct", "via r1", "via r2", "via r1+r2");
  }

  @Test
  void everyMannerOfForwardingHasAName() {
    assertThat(
            parse(
                    SWEEP.replace(
                        "control: reno",
                        "relay: [pipelined, 16 windows, chunked 2MiB, store-and-forward]"))
                .cells(Map.of("route", "1 relay", "rtt", "64ms", "division", "divided")))
        .extracting(Cell::relaying)
        .containsExactly(
            new Relaying.Pipelined(),
            new Relaying.Windows(16),
            new Relaying.Chunked(2 << 20),
            new Relaying.StoreAndForward());
  }

  @Test
  void everyRepetitionOfAllCellsComesBeforeTheNext() {
    assertThat(parse(SWEEP).runs()).extracting(Run::repetition).startsWith(1, 1, 1, 1, 1, 1, 2);
  }

  @Test
  void theCallersWishesScaleAlsoWhatSweepsSayThemselves() {
    String text = SWEEP.replace("    rtt:", "    seconds: 40s\n    repetitions: 6\n    rtt:");
    Experiment experiment =
        ExperimentFile.parse(
            "e.yaml", "e", text, new ExperimentFile.Wish(OptionalInt.of(1), OptionalDouble.of(5)));
    assertThat(experiment.cells().getFirst().seconds()).isEqualTo(20);
    assertThat(experiment.sweeps().getFirst().repetitions()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          32Mbit          | 32              | sweeps[0].rate: '32'
          64ms]           | 64]             | sweeps[0].rtt[1]: '64'
          0.1%            | 101%            | sweeps[0].loss: '101%'
          control: reno   | control: vegas  | sweeps[0].control: 'vegas'
          control: reno   | relay: 65 windows   | sweeps[0].relay: '65 windows'
          control: reno   | relay: chunked 0    | sweeps[0].relay: 'chunked 0'
          control: reno   | relay: chunked 1GiB | sweeps[0].relay: 'chunked 1GiB'
          1 relay]        | via vienna]     | sweeps[0].route[1]: 'via vienna'
          unchanged,      | halved,         | sweeps[0].division[0]: 'halved'
          name: one       | nam: one        | sweeps[0].nam: unknown
          title: A title  | about: x        | title: missing
          repetitions: 2  | repetitions: 0  | repetitions: '0'
          warmup: 2s      | warmup: 12s     | warmup 12.0 s
          """)
  void whatIsWrongIsSaidWithItsPlace(String right, String wrong, String message) {
    assertThat(SWEEP).contains(right);
    assertThatThrownBy(() -> parse(SWEEP.replace(right, wrong)))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith("e.yaml")
        .hasMessageContaining(message);
  }

  @Test
  void aClaimNamesExactlyOneCell() {
    String claim =
        """
        claims:
          - says: twice
            of: {sweep: one, route: 1 relay, rtt: 64ms}
            holds: [1, 2]
        """;
    assertThatThrownBy(() -> parse(SWEEP + claim))
        .hasMessageContaining("claims[0].of")
        .hasMessageContaining("matches 2 cells");
  }

  static List<Path> committed() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("experiments"))) {
      return files.sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("committed")
  void everyCommittedFileIsWellFormed(Path file) {
    assertThat(ExperimentFile.read(file, ExperimentFile.Wish.NONE).runs()).isNotEmpty();
  }

  @Test
  void theReportCardHasSixtyPathsAndMore() {
    Experiment experiment =
        ExperimentFile.read(Path.of("experiments/report-card.yaml"), ExperimentFile.Wish.NONE);
    long paths =
        experiment.cells().stream()
            .filter(cell -> !cell.route().direct())
            .map(cell -> {
              Map<String, String> path = new java.util.TreeMap<>(cell.inputs());
              path.remove("route");
              return path;
            })
            .distinct()
            .count();
    assertThat(paths).isGreaterThanOrEqualTo(60);
  }

  /** Reno at 0.1 % over 64 ms meets a loss every 1.6 s. */
  @Test
  void aRunLastsLongEnoughToMeetLosses() {
    Experiment experiment =
        parse(
            """
            title: Losses
            seconds: 4s
            warmup: 1s
            losses: 10
            warmup-losses: 5
            longest: 60s
            sweeps:
              - {name: s, rtt: [64ms, 640ms], loss: 0.1%, rate: 32Mbit, control: [reno, bbr], route: direct}
            """);
    Cell reno = experiment.cells(Map.of("control", "reno", "rtt", "64ms")).getFirst();
    assertThat(reno.warmupSeconds()).isBetween(7.5, 8.5);
    assertThat(reno.seconds()).isCloseTo(3 * reno.warmupSeconds(), within(1e-9));
    assertThat(new Forecast(reno).lossesExpected()).isCloseTo(10, within(1e-9));
    Cell longPath = experiment.cells(Map.of("control", "reno", "rtt", "640ms")).getFirst();
    assertThat(longPath.seconds()).isEqualTo(60);
    assertThat(longPath.warmupSeconds()).isEqualTo(20);
    Cell bbr = experiment.cells(Map.of("control", "bbr", "rtt", "640ms")).getFirst();
    assertThat(bbr.seconds()).isEqualTo(4);
    assertThat(bbr.warmupSeconds()).isEqualTo(1);
  }

  @Test
  void aRunIsAnsweredByAResultThatLastedAsLongAndByNoneThatFailed() {
    Run run =
        parse(
                """
                title: e
                seconds: 20s
                sweeps:
                  - {name: one, rtt: 64ms, loss: 0.1%, rate: 32Mbit, control: reno, route: direct}
                """)
            .runs()
            .getFirst();
    // 1000 bytes at this rate.
    Result shorter = result(run.key(), 8e-3 / 12, null);
    Result asLong = result(run.key(), 8e-3 / 20, null);
    Result failed = result(run.key(), 8e-3 / 20, "no route");

    assertThat(run.isAnsweredBy(shorter)).isFalse();
    assertThat(run.isAnsweredBy(asLong)).isTrue();
    assertThat(run.isAnsweredBy(failed)).isFalse();
  }

  private static Result result(String key, double megabits, @Nullable String failure) {
    return new Result(
        key,
        "e",
        "s",
        Map.of(),
        1,
        7,
        "2026-01-01T00:00:00Z",
        0.064,
        0.1,
        null,
        1000,
        megabits * 1e6,
        megabits * 1e6,
        null,
        List.of(new Result.LinkCount(10, 9, 1, 0, 0)),
        List.of(),
        List.of(),
        failure,
        null);
  }
}
