package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.identity.KeySecret;
import io.cascade.carriage.tls.TlsLibrary;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.balancer.Balancers;
import io.cascade.relay.chain.PortRange;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.rendezvous.RendezvousSettings;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelaySettingsTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.8.9.1", "::1"})
  void needsNoTokenOnLoopback(String listen) {
    assertThatCode(() -> settings("r1", listen, null)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.7"})
  void needsATokenWhereOthersReachIt(String listen) {
    assertThatThrownBy(() -> settings("r1", listen, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no token (expected: --token TOKEN, or --listen 127.0.0.1)")
        .message()
        .hasLineCount(1);
    assertThatCode(() -> settings("r1", listen, "t0ken")).doesNotThrowAnyException();
  }

  @Test
  void aRelayWithAKeyOfItsOwnTakesWhatIsDerivedFromItFromTheOrchestrator() {
    String key = "csk_" + "k".repeat(43);
    assertThat(settings("r1", "0.0.0.0", key).controlToken())
        .isEqualTo(new KeySecret(key).controlToken())
        .isNotEqualTo(key);
    assertThat(settings("r1", "0.0.0.0", "t0ken").controlToken()).isEqualTo("t0ken");
    assertThat(settings("r1", "127.0.0.1", null).controlToken()).isNull();
  }

  @Test
  void neverTellsTheToken() {
    assertThat(settings("r1", "0.0.0.0", "open-sesame"))
        .asString()
        .contains("token=set")
        .doesNotContain("sesame");
    assertThatThrownBy(() -> settings("r1", "0.0.0.0", "open sesame"))
        .message()
        .startsWith("token: ")
        .doesNotContain("sesame");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "R1", "-r", "r-", "r.1", "r_1", "ä"})
  void refusesNamesThatTheContractDoesNotHave(String name) {
    assertThatThrownBy(() -> settings(name, "127.0.0.1", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("name: ");
  }

  @Test
  void takesNamesOfUpTo63Characters() {
    assertThatCode(() -> settings("r".repeat(63), "127.0.0.1", null)).doesNotThrowAnyException();
    assertThatThrownBy(() -> settings("r".repeat(64), "127.0.0.1", null))
        .hasMessageStartingWith("name: ");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 7412, hop port",
    "65536, 7412, hop port",
    "7411, 70000, control port",
    "7411, 7411, control port"
  })
  void refusesPortsThatCannotBe(int hopPort, int controlPort, String what) {
    assertThatThrownBy(() -> settings(hopPort, controlPort, 1, 1 << 20, 1, 0))
        .hasMessageStartingWith(what + ": ");
  }

  @Test
  void takesTwoFreePorts() {
    assertThatCode(() -> settings(0, 0, 1, 1 << 20, 1, 0)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1048576, 1, 0, event loops",
    "1, 1048575, 1, 0, memory",
    "1, 1048576, 0, 0, max streams",
    "1, 1048576, 1, -1, drain",
    "1, 1048576, 1, 86401, drain"
  })
  void refusesLimitsThatCannotBe(
      int eventLoops, long memory, int maxStreams, int drain, String what) {
    assertThatThrownBy(() -> settings(0, 0, eventLoops, memory, maxStreams, drain))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(what + ": ")
        .hasMessageContaining("(expected: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://host:7400", "host:7400", "http:/nohost", "http:///x"})
  void refusesAnOrchestratorThatIsNoUrl(URI orchestrator) {
    assertThatThrownBy(() -> settings(orchestrator, null, null))
        .hasMessageStartingWith("orchestrator: ");
  }

  @Test
  void refusesCapacityAndPriceThatCannotBe() {
    assertThatThrownBy(() -> settings(null, 0L, null)).hasMessageStartingWith("capacity: ");
    assertThatThrownBy(() -> settings(null, null, -0.01)).hasMessageStartingWith("price per GiB: ");
    assertThatThrownBy(() -> settings(null, null, Double.NaN)).hasMessageContaining("price");
    assertThatCode(() -> settings(null, 1L, 0.0)).doesNotThrowAnyException();
  }

  @Test
  void readsPortRanges() {
    assertThat(PortRange.parse("20000-20999")).isEqualTo(new PortRange(20_000, 20_999));
    assertThat(new PortRange(20_000, 20_999)).hasToString("20000-20999");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "20000", "20000-", "2-1", "0-5", "1-65536", "a-b", "-1-5", "1-999999"})
  void refusesOtherPortRanges(String text) {
    assertThatThrownBy(() -> PortRange.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected: FIRST-LAST");
  }

  private static RelaySettings settings(String name, String listen, @Nullable String token) {
    return settings(name, listen, token, 7_411, 7_412, null, 1, 1 << 20, 1, null, null, 30);
  }

  private static RelaySettings settings(
      int hopPort, int controlPort, int eventLoops, long memory, int maxStreams, int drain) {
    return settings(
        "r1",
        "127.0.0.1",
        null,
        hopPort,
        controlPort,
        null,
        eventLoops,
        memory,
        maxStreams,
        null,
        null,
        drain);
  }

  private static RelaySettings settings(
      @Nullable URI orchestrator, @Nullable Long capacity, @Nullable Double price) {
    return settings(
        "r1", "127.0.0.1", null, 0, 0, orchestrator, 1, 1 << 20, 1, capacity, price, 30);
  }

  private static RelaySettings settings(
      String name,
      String listen,
      @Nullable String token,
      int hopPort,
      int controlPort,
      @Nullable URI orchestrator,
      int eventLoops,
      long memory,
      int maxStreams,
      @Nullable Long capacity,
      @Nullable Double price,
      int drain) {
    try {
      return new RelaySettings(
          name,
          "berlin",
          InetAddress.getByName(listen),
          "r1.example",
          hopPort,
          InetAddress.getLoopbackAddress(),
          controlPort,
          null,
          Balancers.NONE,
          orchestrator == null ? List.of() : List.of(orchestrator),
          token == null ? null : new Token(token),
          Transport.NIO,
          PumpMode.AUTO,
          HopSecurity.OPTIONAL,
          TlsLibrary.AUTO,
          eventLoops,
          memory,
          maxStreams,
          Path.of("/tmp"),
          capacity,
          price,
          Duration.ofSeconds(drain),
          null,
          ProxySettings.NONE,
          Path.of("/tmp/r1.identity"),
          RelaySettings.DEFAULT_SERVE_ALONE,
          0,
          CongestionControls.of(Transport.NIO, null),
          RendezvousSettings.NONE);
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
