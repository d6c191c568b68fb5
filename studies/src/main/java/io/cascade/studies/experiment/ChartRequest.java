package io.cascade.studies.experiment;

import java.util.Map;
import java.util.Optional;

/**
 * A chart that a report has to draw.
 *
 * @param where inputs of the cells in the chart
 * @param x the input along the horizontal axis
 * @param y figure on the vertical axis
 * @param lines input whose values are separate lines
 * @param gainOver inputs of the cells with which the others are compared, in percent; empty to draw
 *     the figure itself
 * @param logX whether the horizontal axis is logarithmic
 * @param logY whether the vertical axis is logarithmic
 */
public record ChartRequest(
    String title,
    Map<String, String> where,
    String x,
    Claim.Figure y,
    String lines,
    Optional<Map<String, String>> gainOver,
    boolean logX,
    boolean logY) {

  /** Copies the selections. */
  public ChartRequest {
    where = Map.copyOf(where);
    gainOver = gainOver.map(Map::copyOf);
  }
}
