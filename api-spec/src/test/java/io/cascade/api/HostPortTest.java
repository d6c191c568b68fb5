package io.cascade.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts and ports as people write them. */
class HostPortTest {
  @ParameterizedTest
  @CsvSource({
    "name:443, name, 443",
    "10.0.0.1:22, 10.0.0.1, 22",
    "[2001:db8::1]:80, 2001:db8::1, 80",
    "a.b-c.example:65535, a.b-c.example, 65535"
  })
  void readsAndWritesThem(String text, String host, int port) {
    HostPort read = HostPort.parse(text);
    assertThat(read).isEqualTo(new HostPort(host, port));
    assertThat(read).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "name",
        "name:",
        ":80",
        "name:http",
        "name:0",
        "name:65536",
        "::1:80",
        "[::1]",
        "[::1]80"
      })
  void saysWhatItExpects(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostPort.parse(text))
        .withMessageContaining("expected:");
  }
}
