package io.cascade.charts;

import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;

/** Common base of the charts: colours, and rendering without a display. */
final class Canvas {

  /**
   * Letters are drawn as outlines; a tenth of a point is precise enough for them and halves a file.
   */
  private static final Pattern LONG_FRACTION = Pattern.compile("(\\d\\.\\d)\\d+");

  /** A palette that colour-blind readers can tell apart (Okabe and Ito), and two more. */
  private static final List<Color> COLOURS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9),
          new Color(0x000000),
          new Color(0xF0E442),
          new Color(0x882255),
          new Color(0x999999));

  private Canvas() {}

  static Color colour(int number) {
    return COLOURS.get(number % COLOURS.size());
  }

  static String svg(Supplier<? extends org.knowm.xchart.internal.chartpart.Chart<?, ?>> chart) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      VectorGraphicsEncoder.saveVectorGraphic(lettered(chart), bytes, VectorGraphicsFormat.SVG);
    } catch (IOException e) {
      throw new UncheckedIOException("a chart could not be drawn", e);
    }
    return LONG_FRACTION.matcher(bytes.toString(StandardCharsets.UTF_8)).replaceAll("$1");
  }

  static byte[] png(Supplier<? extends org.knowm.xchart.internal.chartpart.Chart<?, ?>> chart) {
    try {
      return BitmapEncoder.getBitmapBytes(lettered(chart), BitmapFormat.PNG);
    } catch (IOException e) {
      throw new UncheckedIOException("a chart could not be drawn", e);
    }
  }

  /**
   * Creates a chart after a check for fonts: charts measure their letters when they are created.
   */
  private static org.knowm.xchart.internal.chartpart.Chart<?, ?> lettered(
      Supplier<? extends org.knowm.xchart.internal.chartpart.Chart<?, ?>> chart) {
    System.setProperty("java.awt.headless", "true");
    Fonts.require();
    return chart.get();
  }
}
