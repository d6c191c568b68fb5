package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateHomeTest {
  @Test
  void isWhereTheEnvironmentSays() {
    assertThat(StateHome.cascade(Map.of("XDG_STATE_HOME", "/var/state", "HOME", "/home/ann")))
        .isEqualTo(Path.of("/var/state/cascade"));
    assertThat(StateHome.cascade(Map.of("XDG_STATE_HOME", "", "HOME", "/home/ann")))
        .isEqualTo(Path.of("/home/ann/.local/state/cascade"));
  }

  @Test
  void isBelowTheHomeOfTheUserWhereTheEnvironmentNamesNone() {
    assertThat(StateHome.cascade(Map.of("HOME", "")))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".local/state/cascade"));
  }
}
