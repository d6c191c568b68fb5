package io.cascade.studies.measured;

import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.charts.Line;
import io.cascade.studies.measured.EmulatedPath.Ends;
import io.cascade.studies.measured.PathVerdict.Forecast;
import io.cascade.studies.study.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Predictions of the plans after measuring, beside the measured times. */
record PredictionSection(List<PathVerdict> verdicts) {
  /** Copies the list. */
  PredictionSection {
    verdicts = List.copyOf(verdicts);
  }

  /** A measured way, and the model's prediction for it from all link parameters. */
  private record Told(double expectedSeconds, double measuredSeconds) {
    double measuredOverExpected() {
      return measuredSeconds / expectedSeconds;
    }
  }

  void describe(Page page) {
    page.heading(2, "Predictions");
    table(page);
    chart(page);
    outside(page);
  }

  private void table(Page page) {
    List<List<String>> rows = new ArrayList<>();
    for (Ends ends : Ends.values()) {
      for (boolean direct : List.of(true, false)) {
        List<Forecast> all =
            ends(ends).stream()
                .flatMap(verdict -> verdict.forecasts().stream())
                .filter(forecast -> forecast.way().equals(Way.DIRECT.name()) == direct)
                .toList();
        List<Forecast> closed = all.stream().filter(Forecast::closed).toList();
        rows.add(
            List.of(
                MeasuredReport.words(ends) + ", " + (direct ? "direct" : "through relays"),
                String.valueOf(all.size()),
                Forecast.covered(all).words(),
                String.valueOf(closed.size()),
                Forecast.covered(closed).words(),
                closed.isEmpty()
                    ? "–"
                    : String.format(
                        Locale.ROOT, "%.1f", Distribution.median(closed, PredictionSection::width)),
                String.valueOf(all.stream().filter(one -> one.measured() < one.low()).count()),
                String.valueOf(
                    closed.stream()
                        .filter(one -> !one.holds() && one.measured() >= one.low())
                        .count())));
      }
    }
    page.paragraph(
        "An interval is open if no measurement bounds the time from above, as in \"at least 1.7 s\". Such an interval says"
            + " little and seldom fails, so closed intervals are also counted separately. The width is the longest time over the"
            + " shortest.");
    page.table(
        "predictions | all | hold | closed | closed and hold | median width | "
            + "faster than the shortest time | slower than the longest time",
        rows);
  }

  private void chart(Page page) {
    List<Line> lines = new ArrayList<>();
    for (boolean direct : List.of(true, false)) {
      List<Forecast> likely =
          verdicts.stream()
              .flatMap(verdict -> verdict.forecasts().stream())
              .filter(one -> one.way().equals(Way.DIRECT.name()) == direct)
              .filter(one -> one.likely() != null)
              .toList();
      String way = direct ? "direct" : "through relays";
      Distribution.line(way, likely, one -> one.measured() / Objects.requireNonNull(one.likely()))
          .ifPresent(lines::add);
      Distribution.line(
              way + ", told all", told(direct), PredictionSection.Told::measuredOverExpected)
          .map(line -> Line.dashed(line.name(), line.x(), line.y()).in(way))
          .ifPresent(lines::add);
    }
    page.paragraph(
        "Dashed lines: predictions of the model from the true parameters of every link. Where such a line differs from 1, the"
            + " model or the machine is the cause and not the measurement of the network.");
    if (!lines.isEmpty()) {
      page.figure(
          MeasuredReport.NAME + "-predictions",
          new Chart(
              "Measured time over the predicted one",
              Axis.logarithmic("measured over predicted time"),
              Axis.linear("share of predictions up to it [%]"),
              lines));
    }
  }

  private void outside(Page page) {
    List<List<String>> outside = new ArrayList<>();
    for (PathVerdict verdict : verdicts) {
      for (Forecast forecast : verdict.forecasts()) {
        if (!forecast.holds()) {
          outside.add(
              List.of(
                  String.valueOf(verdict.result().path().number()),
                  verdict.result().path().words(),
                  forecast.way(),
                  String.format(Locale.ROOT, "%.1f s", forecast.measured()),
                  String.format(Locale.ROOT, "%.1f", forecast.low())
                      + (forecast.high() == null
                          ? " or more"
                          : String.format(Locale.ROOT, " to %.1f s", forecast.high())),
                  slowestHop(verdict, forecast.way())));
        }
      }
    }
    if (!outside.isEmpty()) {
      page.paragraph("Intervals that did not hold:");
      page.table(
          List.of("path", "", "way", "measured", "predicted", "the plan's slowest hop"), outside);
    }
  }

  private static String slowestHop(PathVerdict verdict, String way) {
    return Optional.ofNullable(verdict.result().plan())
        .flatMap(plan -> plan.prediction(way))
        .flatMap(prediction ->
            prediction.hops().stream()
                .filter(hop -> hop.bitsPerSecond() != null)
                .min(
                    Comparator.comparingDouble(
                        hop -> Objects.requireNonNullElse(hop.bitsPerSecond(), 0.0))))
        .map(hop ->
            hop.from()
                + " → "
                + hop.to()
                + String.format(
                    Locale.ROOT,
                    ", %.3g %% loss, capacity %s",
                    100 * Objects.requireNonNullElse(hop.lossRate(), Double.NaN),
                    hop.capacityBitsPerSecond() == null
                        ? "unknown"
                        : String.format(
                            Locale.ROOT,
                            "%.1f Mbit/s %s",
                            hop.capacityBitsPerSecond() / 1e6,
                            Objects.requireNonNullElse(hop.capacityKind(), "")
                                .toLowerCase(Locale.ROOT)
                                .replace('_', ' '))))
        .orElse("no rate was seen");
  }

  private List<Told> told(boolean direct) {
    List<Told> told = new ArrayList<>();
    for (PathVerdict verdict : verdicts) {
      for (PathResult.Expected expected : verdict.result().expected()) {
        Double measured = verdict.seconds().get(expected.way());
        if (measured != null && expected.way().equals(Way.DIRECT.name()) == direct) {
          told.add(new Told(8 * verdict.result().bytes() / expected.bitsPerSecond(), measured));
        }
      }
    }
    return told;
  }

  private List<PathVerdict> ends(Ends ends) {
    return verdicts.stream().filter(verdict -> verdict.result().path().ends() == ends).toList();
  }

  private static double width(Forecast forecast) {
    Double high = forecast.high();
    return high == null ? Double.POSITIVE_INFINITY : high / forecast.low();
  }
}
