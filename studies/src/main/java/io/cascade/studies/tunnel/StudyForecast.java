package io.cascade.studies.tunnel;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Rate of a session in Mbit/s of payload that the design study predicted before any measurement:
 * the shares of the links times the efficiency of the coded session in simulations.
 */
final class StudyForecast {
  private static final List<Double> LOSSES = List.of(0.0, 0.1, 0.2, 0.3);
  private static final Map<Integer, List<Double>> CASCADED =
      Map.of(
          1, List.of(0.92, 0.92, 0.92, 0.92),
          3, List.of(0.86, 0.74, 0.63, 0.53),
          4, List.of(0.65, 0.55, 0.47, 0.40));
  private static final Map<Integer, List<Double>> SINGLE =
      Map.of(
          1, List.of(0.92, 0.92, 0.92, 0.92),
          3, List.of(0.86, 0.65, 0.48, 0.35),
          4, List.of(0.65, 0.49, 0.36, 0.26));

  private StudyForecast() {}

  /** The forecast; empty if the study has none. */
  static OptionalDouble megabits(TunnelCell cell) {
    int column = LOSSES.indexOf(cell.loss());
    Map<Integer, List<Double>> table =
        switch (cell.way()) {
          case CASCADED -> CASCADED;
          case SINGLE -> SINGLE;
          case END_TO_END, CASCADED_BLOCKS, SINGLE_BLOCKS -> Map.of();
        };
    List<Double> row = table.get(cell.sessions());
    return row == null || column < 0 ? OptionalDouble.empty() : OptionalDouble.of(row.get(column));
  }
}
