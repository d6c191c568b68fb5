package io.cascade.studies.reproduce;

import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.charts.Line;
import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.LossDivision;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;

/** The sweep of the Cascaded TCP paper's Table I: round trips, capacities and losses. */
final class TableOne {

  private static final double[] RTT_MILLIS = {8, 16, 32, 64, 128, 256, 512};
  private static final double[] MEGABITS = {0.512, 1, 2, 4, 8, 16, 32, 64, 128, 256};
  private static final double[] LOSS_PERCENT = {0.001, 0.01, 0.1, 1};

  private TableOne() {}

  /** A Reno path as the paper's test bed emulates it. */
  static Hop path(double megabits, double rttMillis, double lossPercent) {
    return Hop.of(rttMillis / 1e3, lossPercent / 100).withCapacity(Rate.ofMegabits(megabits));
  }

  /** Rate over capacity, both in bit/s, of a path divided into equal hops. */
  static double utilisation(Hop path, int relays, LossDivision division) {
    return Cascade.equalHops(path, relays + 1, division).steadyBitsPerSecond()
        / path.capacityBitsPerSecond().orElseThrow();
  }

  /** Rate of a path with relays over its rate without. */
  static double gain(Hop path, int relays, LossDivision division) {
    return utilisation(path, relays, division) / utilisation(path, 0, division);
  }

  /**
   * Charts for each loss: utilisation without and with one relay, and the gain of the relay in
   * percent.
   */
  static List<Map.Entry<String, Chart>> charts() {
    List<Map.Entry<String, Chart>> charts = new ArrayList<>();
    for (double loss : LOSS_PERCENT) {
      String percent = PublishedFigure.figure(loss) + " %";
      String name = "table-1-loss-" + PublishedFigure.figure(loss).replace('.', '_');
      charts.add(
          Map.entry(
              name + "-direct",
              chart(
                  "Direct, loss " + percent,
                  "utilisation [%]",
                  (rtt, megabits) ->
                      100 * utilisation(path(megabits, rtt, loss), 0, LossDivision.UNCHANGED))));
      charts.add(
          Map.entry(
              name + "-one-relay",
              chart(
                  "One relay, loss " + percent + " on each hop",
                  "utilisation [%]",
                  (rtt, megabits) ->
                      100 * utilisation(path(megabits, rtt, loss), 1, LossDivision.UNCHANGED))));
      charts.add(
          Map.entry(
              name + "-gain",
              chart(
                  "Gain of one relay, loss " + percent + " on each hop",
                  "gain over direct [%]",
                  (rtt, megabits) ->
                      100 * (gain(path(megabits, rtt, loss), 1, LossDivision.UNCHANGED) - 1))));
    }
    return charts;
  }

  private static Chart chart(String title, String y, DoubleBinaryOperator value) {
    List<Line> lines = new ArrayList<>();
    for (double megabits : MEGABITS) {
      List<Double> rtts = new ArrayList<>();
      List<Double> values = new ArrayList<>();
      for (double rtt : RTT_MILLIS) {
        rtts.add(rtt);
        values.add(value.applyAsDouble(rtt, megabits));
      }
      lines.add(Line.solid(PublishedFigure.figure(megabits) + " Mbit/s", rtts, values));
    }
    return new Chart(title, Axis.logarithmic("round-trip time [ms]"), Axis.linear(y), lines);
  }

  /** Every setting of the sweep, as CSV. */
  static String csv() {
    StringBuilder csv =
        new StringBuilder(
            "loss_percent,capacity_mbit_s,rtt_ms,direct_utilisation,one_relay_utilisation,"
                + "two_relays_utilisation,one_relay_loss_divided_utilisation,"
                + "two_relays_loss_divided_utilisation,one_relay_gain_percent\n");
    for (double loss : LOSS_PERCENT) {
      for (double megabits : MEGABITS) {
        for (double rtt : RTT_MILLIS) {
          Hop path = path(megabits, rtt, loss);
          csv.append(
              String.format(
                  Locale.ROOT,
                  "%s,%s,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.1f\n",
                  PublishedFigure.figure(loss),
                  PublishedFigure.figure(megabits),
                  PublishedFigure.figure(rtt),
                  utilisation(path, 0, LossDivision.UNCHANGED),
                  utilisation(path, 1, LossDivision.UNCHANGED),
                  utilisation(path, 2, LossDivision.UNCHANGED),
                  utilisation(path, 1, LossDivision.DIVIDED),
                  utilisation(path, 2, LossDivision.DIVIDED),
                  100 * (gain(path, 1, LossDivision.UNCHANGED) - 1)));
        }
      }
    }
    return csv.toString();
  }
}
