package io.cascade.charts;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class ChartTest {
  private static final Chart CHART =
      new Chart(
          "Utilisation",
          Axis.logarithmic("round-trip time [ms]"),
          Axis.linear("utilisation [%]"),
          List.of(
              Line.solid("model", List.of(8.0, 64.0, 512.0), List.of(90.0, 22.0, 3.0)),
              Line.dashed("published", List.of(8.0, 64.0), List.of(94.0, 22.0)),
              Line.points("measured", List.of(8.0, 64.0), List.of(88.0, 21.0), List.of(2.0, 1.0))));

  @Test
  void aVectorImageIsWellFormedAndNamesItsLines() throws Exception {
    String svg = CHART.svg();
    Document document =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(withoutDoctype(svg).getBytes(UTF_8)));
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(document.getElementsByTagName("path").getLength()).isGreaterThan(20);
  }

  @Test
  void aPictureHasItsSizeAndMoreThanOneColour() throws Exception {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(CHART.png()));
    assertThat(image.getWidth()).isEqualTo(800);
    assertThat(image.getHeight()).isEqualTo(500);
    long colours =
        IntStream.range(0, 800 * 500).map(i -> image.getRGB(i % 800, i / 800)).distinct().count();
    assertThat(colours).isGreaterThan(4);
  }

  @Test
  void pointsThatAnAxisCannotShowAreLeftOut() {
    Line shown = Line.solid("shown", List.of(1.0, 2.0), List.of(1.0, 3.0));
    Line partly =
        Line.solid("shown", List.of(0.0, 1.0, 2.0, 4.0), List.of(1.0, 1.0, 3.0, Double.NaN));
    Line hidden = Line.solid("hidden", List.of(0.0), List.of(Double.POSITIVE_INFINITY));
    assertThat(logarithmic(List.of(partly, hidden)).svg())
        .isEqualTo(logarithmic(List.of(shown)).svg())
        .isNotEqualTo(logarithmic(List.of(Line.solid("shown", List.of(1.0), List.of(1.0)))).svg());
  }

  @Test
  void anErrorThatReachesBelowALogarithmicAxisIsCutOff() {
    Line wide = Line.points("wide", List.of(1.0, 2.0), List.of(1.0, 3.0), List.of(5.0, 1.0));
    assertThat(logarithmic(List.of(wide)).svg()).contains("<svg");
  }

  @Test
  void linesOfOneGroupShareTheirColour() {
    Line model = Line.solid("model", List.of(1.0, 2.0), List.of(1.0, 2.0));
    Line measured = Line.points("measured", List.of(1.0), List.of(1.0), List.of());
    assertThat(coloursIn(logarithmic(List.of(model.in("direct"), measured.in("direct")))))
        .isLessThan(coloursIn(logarithmic(List.of(model, measured))));
  }

  private static long coloursIn(Chart chart) {
    return Pattern.compile("#?rgb\\([^)]*\\)|#[0-9a-fA-F]{6}")
        .matcher(chart.svg())
        .results()
        .map(MatchResult::group)
        .distinct()
        .count();
  }

  private static Chart logarithmic(List<Line> lines) {
    return new Chart("x", Axis.logarithmic("x"), Axis.logarithmic("y"), lines);
  }

  @Test
  void listsThatDoNotBelongTogetherAreRefused() {
    assertThatThrownBy(() -> Line.solid("l", List.of(1.0), List.of()))
        .hasMessageContaining("expected");
    assertThatThrownBy(() -> Line.points("l", List.of(1.0), List.of(1.0), List.of(1.0, 2.0)))
        .hasMessageContaining("expected");
  }

  @Test
  void aMachineWithoutFontsIsToldWhatToInstall() {
    for (Throwable missing :
        List.of(
            new Error("No physical fonts found."),
            new RuntimeException("Fontconfig head is null"),
            new UnsatisfiedLinkError("libfreetype.so.6"))) {
      assertThatThrownBy(() ->
              Fonts.require(() -> {
                throw ChartTest.<RuntimeException>unchecked(missing);
              }))
          .isInstanceOf(NoFontsException.class)
          .hasMessageContaining("install fontconfig and a font");
    }
    Fonts.require();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
    throw (T) thrown;
  }

  private static String withoutDoctype(String svg) {
    return svg.replaceFirst("<!DOCTYPE[^>]*>", "");
  }
}
