package io.cascade.command;

import java.nio.file.Path;
import java.util.Map;

/** Folder of the state that outlives a process (XDG Base Directory Specification). */
public final class StateHome {
  private StateHome() {}

  /**
   * {@code $XDG_STATE_HOME/cascade}, or {@code $HOME/.local/state/cascade} where that is not set.
   */
  public static Path cascade() {
    return cascade(System.getenv());
  }

  static Path cascade(Map<String, String> environment) {
    String state = environment.get("XDG_STATE_HOME");
    if (state != null && !state.isBlank()) {
      return Path.of(state, "cascade");
    }
    // Java's user.home is that of the user database, regardless of HOME.
    String home = environment.get("HOME");
    return Path.of(
        home != null && !home.isBlank() ? home : System.getProperty("user.home", "."),
        ".local",
        "state",
        "cascade");
  }
}
