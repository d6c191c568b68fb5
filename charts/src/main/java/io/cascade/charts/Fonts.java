package io.cascade.charts;

import java.awt.Font;
import java.awt.font.FontRenderContext;

/** Check for fonts to letter a chart with. */
final class Fonts {
  private Fonts() {}

  static void require() {
    require(Fonts::measureALetter);
  }

  private static void measureALetter() {
    new Font(Font.SANS_SERIF, Font.PLAIN, 12)
        .getLineMetrics("x", new FontRenderContext(null, true, true));
  }

  /** Catches errors as well: what AWT throws without fonts depends on the missing part. */
  static void require(Runnable measuring) {
    try {
      measuring.run();
    } catch (OutOfMemoryError | StackOverflowError e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw new NoFontsException(e);
    }
  }
}
