package io.cascade.command;

import java.nio.file.Path;

/** Folder of the state that outlives a process (XDG Base Directory Specification). */
public final class StateHome {
  private StateHome() {}

  /** {@code $XDG_STATE_HOME/cascade}, or {@code ~/.local/state/cascade} where that is not set. */
  public static Path cascade() {
    String state = System.getenv("XDG_STATE_HOME");
    return state != null && !state.isBlank()
        ? Path.of(state, "cascade")
        : Path.of(System.getProperty("user.home", "."), ".local", "state", "cascade");
  }
}
