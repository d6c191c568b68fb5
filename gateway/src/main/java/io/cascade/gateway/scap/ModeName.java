package io.cascade.gateway.scap;

import io.cascade.command.ParsedOption;
import io.cascade.packets.scap.Mode;
import java.util.Locale;

/** Parses modes by their names on the command line. */
final class ModeName extends ParsedOption<Mode> {
  ModeName() {
    super(constant(Mode.class, "def, def-plus, pair, round-robin or duplicate"));
  }

  static String text(Mode mode) {
    return mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
