package io.cascade.client.estimate;

import io.cascade.client.terminal.Table;
import io.cascade.command.DataSize;
import io.cascade.contract.Quantities;
import io.cascade.contract.RivalText;
import io.cascade.contract.TellingBounds;
import io.cascade.model.estimate.Estimate;
import io.cascade.model.estimate.EstimateRequest.Variant;
import io.cascade.model.estimate.HopEstimate;
import io.cascade.model.estimate.TransferTime;
import io.cascade.model.estimate.WayEstimate;
import io.cascade.model.uncertainty.Interval;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Prints an estimate for people: every way, every hop with its limits, and the components of the
 * time.
 */
public final class EstimateText {
  private EstimateText() {}

  /**
   * Prints the estimate.
   *
   * @param origin where the direct path's model comes from, such as {@code as asked}
   */
  public static void print(Estimate estimate, String origin, PrintWriter out) {
    String amount =
        estimate.request().bytes().isPresent()
            ? DataSize.format(estimate.request().bytes().getAsLong())
            : "a stream";
    out.println(
        "Estimate for "
            + amount
            + (estimate.request().variant() == Variant.AS_PUBLISHED
                ? ", by the equations as published"
                : ""));
    out.println("direct path: " + estimate.request().model().title() + ", " + origin);
    out.println();
    ways(estimate).print(out, "  ");
    out.println();
    hops(estimate).print(out, "  ");
    if (estimate.request().bytes().isPresent()) {
      out.println();
      times(estimate).print(out, "  ");
    }
    estimate
        .cascade()
        .filter(way -> way.relayBufferBytes().stream().anyMatch(Double::isFinite))
        .ifPresent(way -> {
          out.println();
          out.println(
              "Buffer that each relay needs: "
                  + way.relayBufferBytes().stream()
                      .map(bytes -> DataSize.format(Math.round(bytes)))
                      .distinct()
                      .collect(Collectors.joining(", ")));
        });
    conclusion(estimate)
        .ifPresent(words -> {
          out.println();
          out.println(words);
        });
    out.flush();
  }

  private static Table ways(Estimate estimate) {
    Table table =
        new Table(
            "way",
            ">rate",
            "?>95 % bounds",
            "?>of capacity",
            "limited by",
            ">time",
            "?>95 % bounds");
    row(table, "direct", estimate.direct());
    estimate.cascade().ifPresent(way -> row(table, relays(way), way));
    estimate
        .rivals()
        .forEach(rival ->
            row(
                table,
                switch (rival.kind()) {
                  case PARALLEL_DIRECT -> "direct, " + rival.way().connections() + " connections";
                  case DIRECT_BBR -> "direct with bbr";
                },
                rival.way()));
    return table;
  }

  private static void row(Table table, String name, WayEstimate way) {
    Optional<Interval> total = way.time().map(TransferTime::total);
    table.row(
        name,
        rate(way.bitsPerSecond().likely()),
        bounds(way.bitsPerSecond(), EstimateText::rate),
        Quantities.percent(known(way.utilisation())),
        limit(way.bottleneckHop()),
        total.map(time -> (isLimited(way) ? "" : "at least ") + seconds(time.likely())).orElse("-"),
        total.map(time -> bounds(time, EstimateText::seconds)).orElse("-"));
  }

  private static Table hops(Estimate estimate) {
    Table table =
        new Table(
            "way",
            ">RTT",
            ">loss",
            "?>capacity",
            ">by model",
            ">by capacity",
            "?>by window",
            ">rate",
            "",
            "?basis");
    hops(table, "direct", estimate.direct());
    estimate.cascade().ifPresent(way -> hops(table, relays(way), way));
    return table;
  }

  private static void hops(Table table, String name, WayEstimate way) {
    for (int i = 0; i < way.hops().size(); i++) {
      HopEstimate hop = way.hops().get(i);
      table.row(
          way.hops().size() == 1 ? name : "hop " + (i + 1),
          Quantities.millis(hop.input().rttSeconds() * 1e3),
          loss(hop.input().lossProbability()),
          Quantities.rate(known(hop.input().capacityBitsPerSecond())),
          rate(hop.modelBitsPerSecond()),
          rate(hop.capacityBitsPerSecond()),
          rate(hop.windowBitsPerSecond()),
          rate(hop.bitsPerSecond().likely()),
          way.hops().size() > 1 && i == way.bottleneck() ? "slowest" : "",
          hop.basis());
    }
  }

  private static Table times(Estimate estimate) {
    Table table =
        new Table(
            "time", ">set-up", ">sending", ">of it slow start", ">drain", ">in all", ">first byte");
    time(table, "direct", estimate.direct());
    estimate.cascade().ifPresent(way -> time(table, relays(way), way));
    return table;
  }

  private static void time(Table table, String name, WayEstimate way) {
    way.time()
        .ifPresent(time ->
            table.row(
                name,
                seconds(time.setup()),
                seconds(time.sending()),
                seconds(time.slowStart()),
                seconds(time.drain()),
                seconds(time.total().likely()),
                seconds(time.setup() + time.fill())));
  }

  private static Optional<String> conclusion(Estimate estimate) {
    return estimate
        .gain()
        .map(gain -> {
          String words =
              String.format(
                  Locale.ROOT,
                  "The cascade is %s times as fast as the direct connection",
                  times(gain.likely()));
          return words
              + (gain.low() == gain.high() ? "" : " (" + between(gain) + ")")
              + besideRival(estimate).map(beside -> "; " + beside).orElse("")
              + "."
              + unlimited(estimate);
        });
  }

  /**
   * The cascade compared with the best other way without relays, if that way is better than direct.
   */
  private static Optional<String> besideRival(Estimate estimate) {
    WayEstimate cascade = estimate.cascade().orElseThrow();
    return estimate.rivals().stream()
        .filter(rival -> isLimited(rival.way()) && cost(rival.way()) < cost(estimate.direct()))
        .min(Comparator.comparingDouble(rival -> cost(rival.way())))
        .map(rival ->
            RivalText.of(cost(rival.way()) / cost(cascade), connection(rival), "the cascade"));
  }

  private static String unlimited(Estimate estimate) {
    return estimate.rivals().stream()
        .filter(rival -> isLimited(estimate.direct()) && !isLimited(rival.way()))
        .map(rival -> " Nothing that was given limits " + connection(rival) + ": see --capacity.")
        .collect(Collectors.joining());
  }

  private static String connection(Estimate.Rival rival) {
    return switch (rival.kind()) {
      case PARALLEL_DIRECT -> RivalText.parallel(rival.way().connections());
      case DIRECT_BBR -> RivalText.BBR;
    };
  }

  private static boolean isLimited(WayEstimate way) {
    return Double.isFinite(way.bitsPerSecond().likely());
  }

  /** Seconds of the transfer, or of a bit. */
  private static double cost(WayEstimate way) {
    return way.time()
        .map(time -> time.total().likely())
        .orElseGet(() -> 1 / way.bitsPerSecond().likely());
  }

  /** Describes the bounds of a gain; bounds that are far apart are only said to be so. */
  private static String between(Interval gain) {
    return TellingBounds.areFarApart(gain.low(), gain.high())
        ? TellingBounds.HARDLY_KNOWN
        : times(gain.low()) + " … " + times(gain.high());
  }

  private static String times(double ratio) {
    return Double.isInfinite(ratio) ? "any number of" : String.format(Locale.ROOT, "%.2f", ratio);
  }

  private static String relays(WayEstimate way) {
    int relays = way.hops().size() - 1;
    return "via " + relays + (relays == 1 ? " relay" : " relays");
  }

  private static String limit(HopEstimate hop) {
    return hop.limit().words();
  }

  private static String loss(Interval loss) {
    String likely = Quantities.percent(loss.likely());
    return loss.low() == loss.high()
        ? likely
        : likely
            + " ("
            + Quantities.percent(loss.low())
            + " … "
            + Quantities.percent(loss.high())
            + ")";
  }

  private static String bounds(Interval value, DoubleFunction<String> text) {
    return value.low() == value.high()
        ? "-"
        : text.apply(value.low()) + " … " + text.apply(value.high());
  }

  private static String rate(double bitsPerSecond) {
    if (Double.isInfinite(bitsPerSecond)) {
      return "unlimited";
    }
    return bitsPerSecond > TellingBounds.MOST_BITS_PER_SECOND
        ? "beyond 1 Tbit/s"
        : Quantities.rate(bitsPerSecond);
  }

  private static String seconds(double value) {
    return Double.isFinite(value) ? Quantities.seconds(value) : "never";
  }

  private static @Nullable Double known(OptionalDouble value) {
    return value.isPresent() ? (Double) value.getAsDouble() : null;
  }
}
