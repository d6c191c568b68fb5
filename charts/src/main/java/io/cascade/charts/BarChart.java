package io.cascade.charts;

import java.awt.Color;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.CategorySeries;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Bars side by side for named categories, drawn without a display. An unknown value is NaN and
 * leaves a gap.
 *
 * @param yLabel meaning of a bar's height, with its unit: {@code relay CPU [s/GiB]}
 * @param categories names along the bottom
 */
public record BarChart(String title, String yLabel, List<String> categories, List<Bars> groups) {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 450;
  private static final int LABEL_DEGREES = 30;

  /**
   * One bar for each category.
   *
   * @param errors error of each, up and down; empty if unknown
   */
  public record Bars(String name, List<Double> heights, List<Double> errors) {
    /** Copies the lists. */
    public Bars {
      heights = List.copyOf(heights);
      errors = List.copyOf(errors);
    }
  }

  /** Checks that there is a height for each category. */
  public BarChart {
    categories = List.copyOf(categories);
    groups = List.copyOf(groups);
    if (categories.isEmpty() || groups.isEmpty()) {
      throw new IllegalArgumentException("bars: none (expected: at least one)");
    }
    for (Bars bars : groups) {
      boolean errorsFit = bars.errors.isEmpty() || bars.errors.size() == categories.size();
      if (bars.heights.size() != categories.size() || !errorsFit) {
        throw new IllegalArgumentException(
            "bars of %s: %d heights, %d errors (expected: %d)"
                .formatted(bars.name, bars.heights.size(), bars.errors.size(), categories.size()));
      }
    }
  }

  /**
   * The chart as a vector image, for a page.
   *
   * @throws NoFontsException if the machine has no font
   */
  public String svg() {
    return Canvas.svg(this::drawn);
  }

  /**
   * The chart as a bitmap of 900 by 450 pixels.
   *
   * @throws NoFontsException if the machine has no font
   */
  public byte[] png() {
    return Canvas.png(this::drawn);
  }

  private CategoryChart drawn() {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .yAxisTitle(yLabel)
            .build();
    CategoryStyler style = chart.getStyler();
    style.setLegendPosition(LegendPosition.OutsideS);
    style.setLegendVisible(groups.size() > 1);
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBorderVisible(false);
    style.setXAxisLabelRotation(LABEL_DEGREES);
    style.setYAxisMin(0.0);
    for (int i = 0; i < groups.size(); i++) {
      Bars bars = groups.get(i);
      List<Double> heights = bars.heights.stream().map(BarChart::orGap).toList();
      List<Double> errors =
          bars.errors.isEmpty() ? null : bars.errors.stream().map(BarChart::orGap).toList();
      CategorySeries series = chart.addSeries(bars.name, categories, heights, errors);
      series.setFillColor(Canvas.colour(i));
    }
    return chart;
  }

  /** Draws an unknown value as 0, since the drawing library needs a number everywhere. */
  private static double orGap(double value) {
    return Double.isFinite(value) ? value : 0;
  }
}
