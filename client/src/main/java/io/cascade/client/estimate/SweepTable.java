package io.cascade.client.estimate;

import io.cascade.model.estimate.Estimate;
import io.cascade.model.estimate.TransferTime;
import io.cascade.model.estimate.WayEstimate;
import io.cascade.model.uncertainty.Interval;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * A sweep as CSV (RFC 4180): a header, and one line for each point; unknown and infinite values are
 * empty.
 */
public final class SweepTable {
  private static final String LINE_END = "\r\n";
  private static final int DIGITS = 9;

  private static final List<String> HEADER =
      List.of(
          "rtt_seconds",
          "loss",
          "loss_low",
          "loss_high",
          "capacity_bits_per_second",
          "bytes",
          "relays",
          "model",
          "direct_bits_per_second",
          "direct_bits_per_second_low",
          "direct_bits_per_second_high",
          "direct_utilisation",
          "direct_limit",
          "direct_seconds",
          "cascade_bits_per_second",
          "cascade_bits_per_second_low",
          "cascade_bits_per_second_high",
          "cascade_utilisation",
          "cascade_limit",
          "cascade_seconds",
          "gain",
          "gain_low",
          "gain_high");

  private SweepTable() {}

  /** Writes the table. */
  public static String csv(List<Estimate> points) {
    StringBuilder table = new StringBuilder(line(HEADER));
    points.forEach(point -> table.append(line(row(point))));
    return table.toString();
  }

  private static List<String> row(Estimate point) {
    WayEstimate direct = point.direct();
    Interval loss = direct.bottleneckHop().input().lossProbability();
    List<String> row = new ArrayList<>();
    row.add(number(direct.bottleneckHop().input().rttSeconds()));
    row.add(number(loss.likely()));
    row.add(number(loss.low()));
    row.add(number(loss.high()));
    row.add(number(direct.bottleneckHop().input().capacityBitsPerSecond()));
    row.add(
        point.request().bytes().isPresent()
            ? Long.toString(point.request().bytes().getAsLong())
            : "");
    row.add(Integer.toString(point.cascade().map(way -> way.hops().size() - 1).orElse(0)));
    row.add(point.request().model().title());
    row.addAll(way(Optional.of(direct)));
    row.addAll(way(point.cascade()));
    row.addAll(bounds(point.gain()));
    return row;
  }

  private static List<String> way(Optional<WayEstimate> way) {
    List<String> cells = new ArrayList<>(bounds(way.map(WayEstimate::bitsPerSecond)));
    cells.add(number(way.map(WayEstimate::utilisation).orElse(OptionalDouble.empty())));
    cells.add(
        way.map(one -> one.bottleneckHop().limit().name().toLowerCase(Locale.ROOT)).orElse(""));
    cells.add(
        way.flatMap(WayEstimate::time)
            .map(TransferTime::total)
            .map(total -> number(total.likely()))
            .orElse(""));
    return cells;
  }

  private static List<String> bounds(Optional<Interval> value) {
    return Arrays.asList(
        value.map(one -> number(one.likely())).orElse(""),
        value.map(one -> number(one.low())).orElse(""),
        value.map(one -> number(one.high())).orElse(""));
  }

  private static String number(OptionalDouble value) {
    return value.isPresent() ? number(value.getAsDouble()) : "";
  }

  private static String number(double value) {
    return Figures.shortest(value, DIGITS);
  }

  /** The cells are numbers and fixed words, which need no quotes. */
  private static String line(List<String> cells) {
    return cells.stream().collect(Collectors.joining(",", "", LINE_END));
  }
}
