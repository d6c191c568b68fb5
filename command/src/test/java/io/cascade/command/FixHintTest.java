package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FixHintTest {
  @Test
  void aMessageEndsWithOneFix() {
    assertThat(FixHint.added("used up", "make another")).isEqualTo("used up; fix: make another");
    assertThat(FixHint.added("used; fix: revoke it", "make another"))
        .isEqualTo("used; fix: revoke it");
    assertThat(FixHint.added("too late (expected: within a day)", "make another"))
        .isEqualTo("too late (expected: within a day)");
  }
}
