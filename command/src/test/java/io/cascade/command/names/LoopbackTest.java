package io.cascade.command.names;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoopbackTest {
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LocalHost", "127.0.0.1", "127.8.9.1", "::1", "[::1]"})
  void theseAreThisMachine(String host) {
    assertThat(Loopback.isHost(host)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "0.0.0.0", "::", "10.0.0.1", "[2001:db8::1]", "localhost.example.org", "null"})
  void theseMayBeOthers(String host) {
    assertThat(Loopback.isHost(host)).isFalse();
  }
}
