package io.cascade.orchestrator.relays;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.tls.ServerUrls;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which control ports, of those that relays register, an orchestrator connects to. */
class ControlPortsTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "::1", "localhost"})
  void withinOneMachineThoseOnLoopback(String host) {
    assertThat(reachedAt("127.0.0.1", null).of(relayAt(host))).isPresent();
    assertThat(reachedAt("::1", "localhost").of(relayAt(host))).isPresent();
  }

  /** Or whoever ends the control connection reads the calls that follow. */
  @ParameterizedTest
  @ValueSource(
      strings = {"203.0.113.7", "10.0.0.7", "169.254.169.254", "fra.example.net", "0.0.0.0"})
  void noneThatIsReachedOverANetwork(String host) {
    assertThat(reachedAt("127.0.0.1", null).of(relayAt(host))).isEmpty();
    assertThat(reachedAt("0.0.0.0", null).of(relayAt(host))).isEmpty();
  }

  /** Or a relay elsewhere learns what is open on the orchestrator's machine. */
  @Test
  void noneWhereRelaysOfOtherMachinesRegister() {
    assertThat(reachedAt("0.0.0.0", null).of(relayAt("127.0.0.1"))).isEmpty();
    assertThat(reachedAt("203.0.113.1", null).of(relayAt("127.0.0.1"))).isEmpty();
    assertThat(reachedAt("127.0.0.1", "control.example.net").of(relayAt("localhost"))).isEmpty();
  }

  /**
   * @param advertise null for nothing
   */
  static ControlPorts reachedAt(String listen, @Nullable String advertise) {
    return new ControlPorts(new ServerUrls(InetAddress.ofLiteral(listen), advertise, false));
  }

  private static RegisteredRelay relayAt(String host) {
    return KnownRelay.named("r1").at(host, 7412).relay();
  }
}
