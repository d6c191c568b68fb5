package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.proxy.ProxySettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a relay measures for proxies' clients, who may not reach its own machine. */
@Timeout(60)
class GuardedProbeTest {
  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "169.254.169.254", "::1", "::ffff:127.0.0.1"})
  void aRelaysSurroundingsAreNotProbedWhateverNameIsAllowed(String host) throws IOException {
    try (ServerSocket listener = listen();
        RelayNode relay = relay(List.of("*"))) {
      ProbeReport report = probe(relay, host, listener, true);
      assertThat(report.attempts()).isZero();
      assertThat(report.failure()).isEqualTo("not allowed from there");
    }
  }

  @Test
  void aRuleThatNamesABlockOfThemOpensIt() throws IOException {
    try (ServerSocket listener = listen();
        RelayNode relay = relay(List.of("*", "127.0.0.0/8"))) {
      assertThat(probe(relay, "127.0.0.1", listener, true).connected()).isEqualTo(1);
    }
  }

  @Test
  void anOperatorMayMeasureThisMachineWhereTheRelayListensOnLoopbackOnly() throws IOException {
    try (ServerSocket listener = listen();
        RelayNode relay = relay(List.of())) {
      assertThat(probe(relay, "127.0.0.1", listener, false).connected()).isEqualTo(1);
    }
  }

  private static ProbeReport probe(
      RelayNode relay, String host, ServerSocket listener, boolean guarded) {
    return TestChain.control(relay)
        .probe(
            ProbeRequest.builder()
                .host(host)
                .port(listener.getLocalPort())
                .count(1)
                .timeoutMillis(1_000)
                .guarded(guarded)
                .build(),
            TestChain.PATIENCE);
  }

  private static RelayNode relay(List<String> destinations) throws IOException {
    return TestRelay.on(Transport.best())
        .proxies(new ProxySettings(null, null, List.of(), destinations, null))
        .start("r");
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
  }
}
