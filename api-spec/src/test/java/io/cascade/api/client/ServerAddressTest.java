package io.cascade.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.identity.KeyPins;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerAddressTest {
  private static final String ONE = "sha256-" + "a".repeat(43);
  private static final String OTHER = "sha256-" + "_".repeat(43);

  @Test
  void isAUrlWithThePinsBehindIt() {
    ServerAddress address =
        ServerAddress.of(URI.create("https://control.example.net:7400/#" + ONE + "," + OTHER));

    assertThat(address.base()).hasToString("https://control.example.net:7400");
    assertThat(address.pins()).isEqualTo(KeyPins.parse(ONE + "," + OTHER));
    assertThat(address).hasToString("https://control.example.net:7400#" + ONE + "," + OTHER);
  }

  @Test
  void aSchemeInCapitalLettersIsTheSame() {
    // As texts: URIs that differ in that alone are equal, and others go by their texts.
    assertThat(ServerAddress.of(URI.create("HTTPS://h:7400#" + ONE)))
        .hasToString("https://h:7400#" + ONE);
  }

  @Test
  void needsNoPins() {
    assertThat(ServerAddress.of(URI.create("http://[::1]:7400/"))).hasToString("http://[::1]:7400");
    assertThat(ServerAddress.of(URI.create("https://h#")).pins()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://h#sha256-short",
        "https://h#md5-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "https://h#aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "https://h#sha256-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,",
        "ftp://h",
        "h:7400",
        "http:///path"
      })
  void nothingElseIsTaken(String text) {
    assertThatThrownBy(() -> ServerAddress.of(URI.create(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected");
  }

  @Test
  void aPinIsNoUseWithoutTls() {
    assertThatThrownBy(() -> ServerAddress.of(URI.create("http://h:7400#" + ONE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https://");
  }

  @Test
  void fivePinsAreTooManyAndTwiceTheSameIsAMistake() {
    assertThatThrownBy(() -> KeyPins.parse(ONE + "," + ONE))
        .isInstanceOf(IllegalArgumentException.class);
    String five = ONE;
    for (char c = 'b'; c <= 'e'; c++) {
      five += ",sha256-" + String.valueOf(c).repeat(43);
    }
    String tooMany = five;
    assertThatThrownBy(() -> KeyPins.parse(tooMany)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void severalStandWithCommasBetweenWhichPinsHaveToo() {
    String pins = "sha256-" + "A".repeat(43) + ",sha256-" + "B".repeat(43);
    List<URI> servers =
        List.of(URI.create("https://a:1#" + pins), URI.create("HTTPS://b:2#" + pins));

    assertThat(ServerAddress.several(ServerAddress.joined(servers))).isEqualTo(servers);
    assertThat(ServerAddress.several("http://a:1 , http://b:2"))
        .containsExactly(URI.create("http://a:1"), URI.create("http://b:2"));
    assertThatThrownBy(() -> ServerAddress.of(ServerAddress.several("http://a:1,b:2").getFirst()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
