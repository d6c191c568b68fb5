package io.cascade.client.estimate;

import io.cascade.model.uncertainty.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values to compute, in every combination: {@code rtt=8ms..512ms:x2,loss=0.001%,0.01%,0.1%,1%}.
 *
 * <p>A dimension begins with its name and {@code =}; its values are separated by commas, each one
 * value or a range with its step: {@code :x2} multiplies, {@code :+8ms} adds. The end is included
 * where the steps meet it.
 *
 * @param dimensions in the order given, each with its values; the first varies slowest
 */
public record Sweep(Map<Dimension, List<Interval>> dimensions) {

  /** Most combinations. */
  public static final int MOST_POINTS = 10_000;

  private static final Pattern NAMED = Pattern.compile("\\s*([A-Za-z]+)\\s*=(.*)");
  private static final Pattern RANGE = Pattern.compile("(.+?)\\.\\.(.+?)(?::([x+])(.+))?");

  /** The end of a range counts as met where a step comes this close to it. */
  private static final double SLACK = 1e-9;

  /** Checks that there is at least one combination, and not too many. */
  public Sweep {
    dimensions = new LinkedHashMap<>(dimensions);
    long points = 1;
    for (Map.Entry<Dimension, List<Interval>> one : dimensions.entrySet()) {
      if (one.getValue().isEmpty()) {
        throw new IllegalArgumentException(one.getKey().title() + ": no values (expected: some)");
      }
      points = Math.min(Long.MAX_VALUE / MOST_POINTS, points * one.getValue().size());
    }
    if (dimensions.isEmpty() || points > MOST_POINTS) {
      throw new IllegalArgumentException(
          points + " points (expected: at most " + MOST_POINTS + ")");
    }
  }

  /**
   * @throws IllegalArgumentException naming the dimension, the value and what is expected
   */
  public static Sweep parse(String text) {
    Map<Dimension, List<Interval>> dimensions = new LinkedHashMap<>();
    Optional<Dimension> current = Optional.empty();
    for (String token : text.split(",", -1)) {
      Matcher named = NAMED.matcher(token);
      String value = token.strip();
      if (named.matches()) {
        Dimension dimension = dimension(named.group(1));
        if (dimensions.put(dimension, new ArrayList<>()) != null) {
          throw new IllegalArgumentException(
              dimension.title() + ": given twice (expected: all its values in one list)");
        }
        current = Optional.of(dimension);
        value = named.group(2).strip();
      }
      Dimension of =
          current.orElseThrow(() ->
              new IllegalArgumentException(
                  "'" + token + "' (expected: DIMENSION=VALUES, such as rtt=8ms..512ms:x2)"));
      try {
        dimensions.computeIfAbsent(of, any -> new ArrayList<>()).addAll(values(of, value));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(of.title() + ": " + e.getMessage());
      }
    }
    return new Sweep(dimensions);
  }

  private static Dimension dimension(String name) {
    return Dimension.named(name.toLowerCase(Locale.ROOT))
        .orElseThrow(() ->
            new IllegalArgumentException(
                "'" + name + "' (expected one of: " + Dimension.titles() + ")"));
  }

  private static List<Interval> values(Dimension dimension, String text) {
    Matcher range = RANGE.matcher(text);
    if (!range.matches()) {
      return List.of(dimension.value(text));
    }
    double from = dimension.value(range.group(1).strip()).likely();
    double to = dimension.value(range.group(2).strip()).likely();
    if (range.group(3) == null) {
      throw new IllegalArgumentException(
          "'" + text + "': a range without a step (expected: :x2 or :+STEP behind it)");
    }
    if (to < from) {
      throw new IllegalArgumentException("'" + text + "' (expected: the smaller end first)");
    }
    boolean multiplies = range.group(3).equals("x");
    double step =
        multiplies ? factor(range.group(4)) : dimension.value(range.group(4).strip()).likely();
    if (!(multiplies ? step > 1 && from > 0 : step > 0)) {
      throw new IllegalArgumentException(
          "'" + text + "' (expected: a factor above 1 from above 0, or a step above 0)");
    }
    List<Interval> values = new ArrayList<>();
    double value = from;
    for (int i = 1; value <= to * (1 + SLACK); i++) {
      if (i > MOST_POINTS) {
        throw new IllegalArgumentException(
            "'" + text + "': more than " + MOST_POINTS + " values (expected: larger steps)");
      }
      values.add(Interval.exactly(dimension.isWhole() ? Math.rint(value) : value));
      value = multiplies ? from * Math.pow(step, i) : from + i * step;
    }
    return values;
  }

  private static double factor(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("':x" + text + "' (expected: a factor such as :x2)");
    }
  }

  /** Every combination, added to the fixed values. */
  public List<Scenario> scenarios(Scenario fixed) {
    List<Scenario> scenarios = List.of(fixed);
    for (Map.Entry<Dimension, List<Interval>> one : dimensions.entrySet()) {
      List<Scenario> longer = new ArrayList<>();
      for (Scenario scenario : scenarios) {
        one.getValue().forEach(value -> longer.add(scenario.with(one.getKey(), value)));
      }
      scenarios = longer;
    }
    return scenarios;
  }

  /** Returns whether the sweep varies this dimension. */
  public boolean varies(Dimension dimension) {
    return dimensions.containsKey(dimension);
  }

  /** The first dimension, which is a chart's x axis. */
  Dimension first() {
    return dimensions.keySet().iterator().next();
  }
}
