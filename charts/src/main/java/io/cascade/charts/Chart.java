package io.cascade.charts;

import java.awt.Color;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoublePredicate;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Lines over two axes, drawn without a display.
 *
 * <p>Infinite points, and those that a logarithmic axis cannot show, are left out.
 */
public record Chart(String title, Axis x, Axis y, List<Line> lines) {

  private static final double DEEPEST_SHARE = 0.9;
  private static final int WIDTH = 800;
  private static final int HEIGHT = 500;

  /** Copies the lines. */
  public Chart {
    lines = List.copyOf(lines);
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("lines: none (expected: at least one)");
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
   * The chart as a bitmap of 800 by 500 pixels.
   *
   * @throws NoFontsException if the machine has no font
   */
  public byte[] png() {
    return Canvas.png(this::drawn);
  }

  private XYChart drawn() {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(x.label())
            .yAxisTitle(y.label())
            .build();
    XYStyler style = chart.getStyler();
    style.setXAxisLogarithmic(x.scale() == Axis.Scale.LOGARITHMIC);
    style.setYAxisLogarithmic(y.scale() == Axis.Scale.LOGARITHMIC);
    style.setLegendPosition(LegendPosition.OutsideE);
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBorderVisible(false);
    style.setMarkerSize(7);
    if (y.scale() == Axis.Scale.LINEAR && noneNegative()) {
      style.setYAxisMin(0.0);
    }
    List<String> groups = lines.stream().map(Line::group).distinct().toList();
    for (Line line : lines) {
      add(chart, line, Canvas.colour(groups.indexOf(line.group())));
    }
    return chart;
  }

  private boolean noneNegative() {
    return lines.stream().flatMap(line -> line.y().stream()).allMatch(value -> value >= 0);
  }

  private void add(XYChart chart, Line line, Color colour) {
    DoublePredicate showsX = shownOn(x);
    DoublePredicate showsY = shownOn(y);
    int[] shown =
        IntStream.range(0, line.x().size())
            .filter(i -> showsX.test(line.x().get(i)) && showsY.test(line.y().get(i)))
            .toArray();
    if (shown.length == 0) {
      return;
    }
    double[] xs = Arrays.stream(shown).mapToDouble(i -> line.x().get(i)).toArray();
    double[] ys = Arrays.stream(shown).mapToDouble(i -> line.y().get(i)).toArray();
    double[] errors =
        line.errors().isEmpty()
            ? null
            : Arrays.stream(shown)
                .mapToDouble(i -> shownError(line.errors().get(i), line.y().get(i)))
                .toArray();
    XYSeries series = chart.addSeries(line.name(), xs, ys, errors);
    series.setLineColor(colour);
    series.setMarkerColor(colour);
    switch (line.drawing()) {
      case SOLID -> {
        series.setLineStyle(SeriesLines.SOLID);
        series.setMarker(SeriesMarkers.NONE);
      }
      case DASHED -> {
        series.setLineStyle(SeriesLines.DASH_DASH);
        series.setMarker(SeriesMarkers.NONE);
      }
      case POINTS -> {
        series.setXYSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Scatter);
        series.setMarker(SeriesMarkers.CIRCLE);
      }
    }
  }

  /** The error to draw: a logarithmic axis cannot show one that reaches down to zero. */
  private double shownError(double error, double value) {
    return y.scale() == Axis.Scale.LOGARITHMIC ? Math.min(error, DEEPEST_SHARE * value) : error;
  }

  private static DoublePredicate shownOn(Axis axis) {
    return axis.scale() == Axis.Scale.LOGARITHMIC
        ? value -> value > 0 && Double.isFinite(value)
        : Double::isFinite;
  }
}
