package io.cascade.studies.experiment;

import java.util.Map;
import java.util.Optional;

/**
 * A chart that a report shall draw.
 *
 * @param where the cells that it draws
 * @param x the input along the horizontal axis
 * @param y what is drawn upwards
 * @param lines the input that tells one line from another
 * @param gainOver cells with these inputs are what others are compared with, in percent; empty
 *     draws the figure itself
 * @param logX equal steps multiply
 * @param logY equal steps multiply
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
