package io.cascade.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class BarChartTest {
  private final BarChart chart =
      new BarChart(
          "Cost",
          "relay CPU [s/GiB]",
          List.of("ours", "theirs", "nobody's"),
          List.of(
              new BarChart.Bars("1 stream", List.of(0.4, 0.3, Double.NaN), List.of(0.1, 0.1, 0.0)),
              new BarChart.Bars("8 streams", List.of(0.5, 0.2, 0.0), List.of())));

  @Test
  void aVectorImageHasABarForEachValue() {
    assertThat(chart.svg().lines().filter(line -> line.contains("fill:rgb(0,114,178)")))
        .as("bars of the first group and its mark in the legend")
        .hasSizeGreaterThanOrEqualTo(3);
  }

  @Test
  void drawsAPicture() throws Exception {
    assertThat(ImageIO.read(new ByteArrayInputStream(chart.png())).getWidth()).isEqualTo(900);
  }

  @Test
  void refusesBarsThatAreNotOnePerCategory() {
    assertThatThrownBy(() ->
            new BarChart(
                "t",
                "y",
                List.of("a"),
                List.of(new BarChart.Bars("b", List.of(1.0, 2.0), List.of()))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("bars of b: 2 heights, 0 errors (expected: 1)");
  }
}
