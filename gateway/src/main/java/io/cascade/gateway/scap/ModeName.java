package io.cascade.gateway.scap;

import io.cascade.packets.scap.Mode;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Modes by their names on the command line. */
final class ModeName implements ITypeConverter<Mode> {
  static String text(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public Mode convert(String value) {
    for (Mode mode : Mode.values()) {
      if (text(mode).equals(value)) {
        return mode;
      }
    }
    throw new TypeConversionException(
        "'" + value + "' (expected: def, def-plus, pair, round-robin or duplicate)");
  }
}
