package io.cascade.studies.report;

import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.charts.Line;
import io.cascade.studies.experiment.Cell;
import io.cascade.studies.experiment.ChartRequest;
import io.cascade.studies.experiment.Claim;
import io.cascade.studies.experiment.Experiment;
import io.cascade.studies.experiment.Result;
import io.cascade.studies.study.Goal;
import io.cascade.studies.study.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Page of one experiment: statements with verdicts, charts, every cell. */
final class ExperimentPage {
  private final Evidence evidence;
  private final Page page;

  private ExperimentPage(Evidence evidence) {
    this.evidence = evidence;
    this.page = new Page(evidence.experiment().title());
  }

  static Page of(Evidence evidence) {
    ExperimentPage made = new ExperimentPage(evidence);
    made.write();
    return made.page;
  }

  private void write() {
    Experiment experiment = evidence.experiment();
    page.paragraph(experiment.about());
    page.paragraph(
        "%d runs of %d cells%s. %s"
            .formatted(
                evidence.runs(),
                experiment.cells().size(),
                evidence.failed().isEmpty()
                    ? ""
                    : ", and %d that failed and do not count".formatted(evidence.failed().size()),
                evidence.machine()));
    claims();
    for (ChartRequest wish : experiment.charts()) {
      new RequestedChart(wish, evidence)
          .draw()
          .ifPresent(
              chart -> page.figure(experiment.name() + "-" + Page.fileName(wish.title()), chart));
    }
    for (Experiment.Sweep sweep : experiment.sweeps()) {
      page.heading(2, "Sweep: " + sweep.name());
      page.paragraph(sweep.about());
      if (sweep.reportCard()) {
        ReportCard.of(sweep, evidence).describe(page, experiment.name());
      }
      queues(sweep);
      cells(sweep);
    }
  }

  private void claims() {
    if (evidence.experiment().claims().isEmpty()) {
      return;
    }
    page.heading(2, "Published and measured");
    List<List<String>> rows = new ArrayList<>();
    Claims claims = new Claims(evidence);
    for (Claim claim : evidence.experiment().claims()) {
      Goal judged = claims.judged(claim);
      rows.add(
          List.of(
              judged.what(),
              claim.published(),
              Words.number(claims.model(claim, Evidence::published)),
              Words.number(claims.model(claim, Evidence::corrected)),
              judged.found(),
              judged.goal(),
              "**" + judged.finding().words() + "**"));
    }
    page.table(
        "statement | published | model as published | model corrected | measured (95 %) | "
            + "holds within | verdict",
        rows);
  }

  private void queues(Experiment.Sweep sweep) {
    for (Cell cell : sweep.cells()) {
      Optional<Result> watched =
          evidence.of(cell).stream().filter(result -> !result.queue().isEmpty()).findFirst();
      watched.ifPresent(result -> page.figure(queueName(cell), queueChart(cell, result)));
    }
  }

  private String queueName(Cell cell) {
    return evidence.experiment().name() + "-queue-" + Page.fileName(cell.key());
  }

  private static Chart queueChart(Cell cell, Result result) {
    List<Line> lines = new ArrayList<>();
    TreeSet<Integer> relays = new TreeSet<>();
    result.queue().forEach(sample -> relays.add(sample.relay()));
    for (int relay : relays) {
      List<Result.Held> samples =
          result.queue().stream().filter(sample -> sample.relay() == relay).toList();
      List<Double> times = samples.stream().map(Result.Held::seconds).toList();
      lines.add(
          Line.solid(
              "held by relay " + relay,
              times,
              samples.stream().map(sample -> sample.heldBytes() / 1024.0).toList()));
      lines.add(
          Line.dashed(
              "received by relay " + relay,
              times,
              samples.stream().map(sample -> sample.inBytes() / 1024.0).toList()));
    }
    return new Chart(
        "Relay queue: " + cell.sweep() + ", " + Words.inputs(cell),
        Axis.linear("time [s]"),
        Axis.linear("bytes [KiB]"),
        lines);
  }

  private void cells(Experiment.Sweep sweep) {
    boolean finite = sweep.cells().stream().anyMatch(cell -> cell.bytes().isPresent());
    Claim.Figure figure = finite ? Claim.Figure.SECONDS : Claim.Figure.GOODPUT;
    boolean setups = sweep.cells().stream().anyMatch(cell -> !cell.route().direct());
    List<String> header =
        new ArrayList<>(
            List.of(
                "cell",
                "runs",
                "measured [" + Words.unit(figure) + "]",
                "model [" + Words.unit(figure) + "]",
                "measured/model"));
    if (setups) {
      header.add("set-up [ms]");
      header.add("held [MiB]");
    }
    List<List<String>> rows = new ArrayList<>();
    for (Cell cell : sweep.cells()) {
      Optional<Sample> sample = evidence.sample(cell, figure);
      double model = Evidence.corrected(cell, figure);
      List<String> row =
          new ArrayList<>(
              List.of(
                  Words.inputs(cell),
                  String.valueOf(evidence.of(cell).size()),
                  Words.sample(sample),
                  Words.number(model),
                  sample.map(values -> Words.number(values.mean() / model)).orElse("–")));
      if (setups) {
        row.add(Words.sample(evidence.sample(cell, Claim.Figure.SETUP)));
        row.add(
            evidence
                .sample(cell, Claim.Figure.HELD)
                .map(values -> Words.number(values.mean()))
                .orElse("–"));
      }
      rows.add(row);
    }
    page.table(header, rows);
  }
}
