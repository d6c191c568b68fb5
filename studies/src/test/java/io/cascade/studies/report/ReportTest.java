package io.cascade.studies.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.MathisThroughput;
import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.Claim;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.ExperimentFile;
import io.cascade.studies.experiment.Forecast;
import io.cascade.studies.experiment.Result;
import io.cascade.studies.experiment.Run;
import io.cascade.studies.study.Finding;
import io.cascade.studies.study.StudyFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  @TempDir private Path folder;

  @SuppressWarnings("NullAway.Init")
  private Experiment experiment;

  @BeforeEach
  void read() throws IOException {
    Path file = folder.resolve("e.yaml");
    Files.writeString(
        file,
        """
        title: An experiment
        losses: 8
        repetitions: 3
        sweeps:
          - name: one
            report-card: true
            rtt: [64ms, 128ms]
            loss: 0.1%
            rate: 32Mbit
            control: reno
            at: 50%
            route: all
        claims:
          - says: One relay gives 2.8 times as much
            published: "2.83"
            of: {sweep: one, route: via r1, rtt: 64ms}
            over: {sweep: one, route: direct, rtt: 64ms}
            holds: [2.4, 3.2]
        charts:
          - title: Goodput over latency
            where: {sweep: one}
            x: rtt
            log: x
        """);
    experiment = ExperimentFile.read(file, ExperimentFile.Wish.NONE);
  }

  private List<Result> results(ToDoubleFunction<Cell> megabits) {
    List<Result> results = new ArrayList<>();
    for (Run run : experiment.runs()) {
      double rate = 1e6 * megabits.applyAsDouble(run.cell()) * (1 + 0.01 * run.repetition());
      results.add(
          new Result(
              run.key(),
              "e",
              run.cell().sweep(),
              run.cell().inputs(),
              run.repetition(),
              1,
              "2026-01-01T00:00:00Z",
              0.064,
              0.1,
              null,
              1_000_000,
              rate,
              rate,
              null,
              counts(run.cell()),
              List.of(),
              List.of(),
              null,
              null));
    }
    return results;
  }

  /** Twice the packets lost that should have been. */
  private static List<Result.LinkCount> counts(Cell cell) {
    return cell.links().stream()
        .map(link -> Math.round(2_000_000 * link.lossProbability()))
        .map(lost -> new Result.LinkCount(1_000_000, 1_000_000 - lost, lost, 0, 0))
        .toList();
  }

  private static double predicted(Cell cell) {
    return new Forecast(cell).bitsPerSecond() / 1e6;
  }

  private Evidence evidence(ToDoubleFunction<Cell> megabits) {
    return Evidence.of(experiment, results(megabits), "2 processors");
  }

  private Finding finding(Evidence evidence) {
    return new Claims(evidence).judged(experiment.claims().getFirst()).finding();
  }

  @Test
  void theDirectForecastIsTheChosenModels() {
    Cell direct = experiment.cells(Map.of("route", "direct", "rtt", "64ms")).getFirst();
    assertThat(new Forecast(direct).bitsPerSecond(_ -> MathisThroughput.RANDOM_LOSS) / 1e6)
        .isCloseTo(1.31 * 8 * 1448 / (0.064 * Math.sqrt(0.001)) / 1e6, within(1e-6));
  }

  @Test
  void whatIsMeasuredAsPredictedHolds() {
    Claims claims = new Claims(evidence(ReportTest::predicted));
    Claim claim = experiment.claims().getFirst();
    assertThat(claims.model(claim, Evidence::corrected)).isCloseTo(2.83, within(0.01));
    assertThat(claims.model(claim, Evidence::published)).isCloseTo(2.83, within(0.01));
    assertThat(claims.judged(claim).finding()).isEqualTo(Finding.ESTABLISHED);
  }

  @Test
  void whatIsMeasuredOtherwiseDoesNotHold() {
    assertThat(finding(evidence(_ -> 5))).isEqualTo(Finding.REFUTED);
  }

  @Test
  void withoutRunsNothingIsSaid() {
    Evidence none = Evidence.of(experiment, List.of(), "");
    assertThat(finding(none)).isEqualTo(Finding.NOT_MEASURED);
    assertThat(ReportCard.of(experiment.sweeps().getFirst(), none).rows()).isEmpty();
  }

  @Test
  void aRunThatFailedDoesNotCount() {
    List<Result> results = new ArrayList<>(results(ReportTest::predicted));
    Result first = results.removeFirst();
    results.add(
        new Result(
            first.key(),
            "e",
            first.sweep(),
            first.inputs(),
            1,
            1,
            first.at(),
            0,
            null,
            null,
            0,
            0.0,
            0,
            null,
            List.of(),
            List.of(),
            List.of(),
            "why",
            null));
    Evidence evidence = Evidence.of(experiment, results, "");
    assertThat(evidence.failed()).hasSize(1);
    assertThat(evidence.runs()).isEqualTo(experiment.runs().size() - 1);
  }

  @Test
  void aPlannerWhoseModelIsTrueChoosesTheBest() {
    ReportCard card =
        ReportCard.of(experiment.sweeps().getFirst(), evidence(ReportTest::predicted));
    assertThat(card.rows()).hasSize(2);
    assertThat(card.good()).isEqualTo(2);
    assertThat(card.worseThanDirect()).isZero();
  }

  @Test
  void aPlannerWhoseModelIsFalseIsFoundOut() {
    ReportCard card =
        ReportCard.of(
            experiment.sweeps().getFirst(), evidence(cell -> cell.route().direct() ? 10 : 2));
    assertThat(card.good()).isZero();
    assertThat(card.worseThanDirect()).isEqualTo(2);
  }

  @Test
  void calibrationListsWhatTheModelMisses() {
    Calibration calibration =
        Calibration.of(
            List.of(
                evidence(cell -> predicted(cell) * (cell.route().direct() ? 1.4 : 1)),
                evidence(ReportTest::predicted)));
    assertThat(calibration.points()).hasSize(8);
    assertThat(calibration.points().stream().filter(point -> point.ratio() > 1.25)).hasSize(2);
    // The direct way has one link, and Reno's rate varies with the square root of twice the loss.
    assertThat(calibration.points().getFirst().ratioAsLost())
        .isCloseTo(1.4 * 1.02 * Math.sqrt(2), within(0.15));
    assertThat(calibration.page("").markdown()).contains("misses by more than 25 %");
  }

  @Test
  void aBeginningIsNoPointOfTheCalibration() throws IOException {
    Path file = folder.resolve("e.yaml");
    Files.writeString(file, Files.readString(file).replace("losses: 8", "losses: 1"));
    experiment = ExperimentFile.read(file, ExperimentFile.Wish.NONE);
    Calibration calibration = Calibration.of(List.of(evidence(ReportTest::predicted)));
    assertThat(calibration.points()).hasSize(2);
    assertThat(calibration.page("").markdown()).contains("2 further cells are left out");
  }

  @Test
  void everyPageAndPictureIsWritten() throws IOException {
    Path at = folder.resolve("report");
    ExperimentIndex index = new ExperimentIndex(at, List.of(evidence(ReportTest::predicted)));
    new StudyFolder(at, "README").write(index.write());
    assertThat(at.resolve("README.md")).content().contains("[An experiment](e.md)");
    assertThat(at.resolve("e.md"))
        .content()
        .contains(
            "**established**", "processors", "![Goodput over latency](e-goodput-over-latency.png)");
    assertThat(at.resolve("e-goodput-over-latency.png")).isNotEmptyFile();
    assertThat(at.resolve("calibration.md")).isNotEmptyFile();
  }

  @Test
  void theIndexNamesEveryPageOfTheRepository() throws IOException {
    Path pages = Path.of("..", "docs", "experiments");
    String index = Files.readString(pages.resolve("README.md"));
    try (Stream<Path> files = Files.walk(pages)) {
      List<String> names =
          files
              .map(pages::relativize)
              .map(Path::toString)
              .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
              .toList();

      assertThat(names).allSatisfy(name -> assertThat(index).contains("](" + name + ")"));
    }
  }

  @Test
  void theIndexIsWhatAReportWouldWrite() throws IOException {
    Path pages = Path.of("..", "docs", "experiments");
    String index = Files.readString(pages.resolve("README.md"));

    assertThat(OtherPage.PARAGRAPHS)
        .allSatisfy(some -> assertThat(index).contains(OtherPage.paragraph(some, pages) + "\n"));
  }
}
