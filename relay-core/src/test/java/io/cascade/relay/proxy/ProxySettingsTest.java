package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProxySettingsTest {
  private static final Path USERS = Path.of("users");

  @Test
  void aProxyThatTheNetworkReachesNeedsToKnowWhoMayCome() {
    assertThatThrownBy(() -> settings("0.0.0.0", List.of(), List.of("*"), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--allow-source");
    assertThatCode(() -> settings("0.0.0.0", List.of("10.0.0.0/8"), List.of("*"), null))
        .doesNotThrowAnyException();
    assertThatCode(() -> settings("0.0.0.0", List.of(), List.of("*"), USERS))
        .doesNotThrowAnyException();
    assertThatCode(() -> settings("127.0.0.1", List.of(), List.of("*"), null))
        .doesNotThrowAnyException();
  }

  @Test
  void aProxyThatGoesNowhereIsAMistake() {
    assertThatThrownBy(() -> settings("127.0.0.1", List.of(), List.of(), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--allow-destination");
  }

  @Test
  void sourcesAndCredentialsWithoutAProxyAreAMistake() {
    assertThatThrownBy(() -> new ProxySettings(null, null, List.of("10.0.0.0/8"), List.of(), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--socks");
    // What may be reached also holds for chains that end here.
    assertThatCode(() -> new ProxySettings(null, null, List.of(), List.of("127.0.0.0/8"), null))
        .doesNotThrowAnyException();
  }

  @Test
  void whatIsNoBlockOfAddressesIsNamed() {
    assertThatThrownBy(() -> settings("127.0.0.1", List.of("ten"), List.of("*"), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "allow source: 'ten' (expected: addresses such as 10.0.0.0/8 or 2001:db8::/32)");
  }

  private static ProxySettings settings(
      String listen, List<String> sources, List<String> destinations, @Nullable Path users) {
    return new ProxySettings(new InetSocketAddress(listen, 0), null, sources, destinations, users);
  }
}
