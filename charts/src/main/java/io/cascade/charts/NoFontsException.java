package io.cascade.charts;

/** The Java virtual machine found no font on this machine, so charts cannot be lettered. */
public final class NoFontsException extends RuntimeException {
  NoFontsException(Throwable cause) {
    super(
        "no font was found to letter a chart with: install fontconfig and a font, such as the"
            + " packages fontconfig and fonts-dejavu-core",
        cause);
  }
}
