package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.Endpoint;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import io.cascade.api.relay.ThroughputTest;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Chains, probes and tests to where a relay may not connect. */
@Timeout(60)
class ForbiddenDestinationTest {
  private static final String TOKEN = "sesame";
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  @ParameterizedTest
  @ValueSource(
      strings = {"127.0.0.1", "localhost", "::ffff:127.0.0.1", "169.254.169.254", "10.1.2.3"})
  void aRelayOnTheNetworkRefusesAChainThere(String host) throws IOException {
    try (ServerSocket listener = listen();
        RelayNode relay = onTheNetwork(List.of())) {
      ProblemException problem = refused(relay, host, listener.getLocalPort());

      assertThat(problem.status()).isEqualTo(403);
      assertThat(problem.type()).isEqualTo("urn:cascade:problem:destination-not-allowed");
      assertThat(problem).hasMessageContaining("--allow-destination");
      assertThat(control(relay).list(TestChain.PATIENCE).parts()).isEmpty();
      ProbeReport report = probe(relay, host, listener.getLocalPort());
      assertThat(report.attempts()).isZero();
      assertThat(report.notAllowed()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"169.254.169.254", "224.0.0.1", "0.0.0.0"})
  void aRelayThatSaysItIsAtSuchAnAddressIsNotDialled(String host) throws IOException {
    try (RelayNode relay = onTheNetwork(List.of())) {
      HopOutlet next = new HopOutlet(host, 80, TestChain.newKey(), null);
      ChainPart part =
          TestParts.of(
              0, 60, new Ingress("127.0.0.1", 0, null, null, null), null, next, null, null, null);

      ProblemException problem =
          catchThrowableOfType(
              ProblemException.class,
              () -> control(relay).install(UUID.randomUUID(), part, TestChain.PATIENCE));

      assertThat(problem.type()).isEqualTo("urn:cascade:problem:destination-not-allowed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"169.254.169.254", "224.0.0.1", "0.0.0.0"})
  @EnabledOnOs(OS.LINUX)
  void aRelayThatSaysItIsAtSuchAnAddressIsNotTested(String host) throws IOException {
    try (ServerSocketChannel listener = ServerSocketChannel.open();
        ReservedPort nobody = ReservedPort.take();
        RelayNode relay = onTheNetwork(List.of())) {
      listener.bind(new InetSocketAddress(LOOPBACK, 0)).configureBlocking(false);
      List<String> answers = new ArrayList<>();
      for (int port : List.of(listener.socket().getLocalPort(), nobody.number())) {
        Endpoint there = new Endpoint(host, port);
        for (Consumer<RelayControlClient> test : List.of(throughput(there), train(there))) {
          ProblemException problem =
              catchThrowableOfType(ProblemException.class, () -> test.accept(control(relay)));

          assertThat(problem.type()).isEqualTo("urn:cascade:problem:destination-not-allowed");
          answers.add(String.valueOf(problem.getMessage()).replace(":" + port, ":PORT"));
        }
      }
      assertThat(listener.accept()).isNull();
      assertThat(Set.copyOf(answers)).hasSize(1);
    }
  }

  private static Consumer<RelayControlClient> throughput(Endpoint to) {
    ThroughputTest test =
        ThroughputTest.builder()
            .testId(UUID.randomUUID())
            .to(to)
            .peer("r2")
            .key(TestChain.newKey())
            .maxBytes(65_536L)
            .maxSeconds(1.0)
            .build();
    return relay -> {
      var _ = relay.runThroughputTest(test, TestChain.PATIENCE);
    };
  }

  private static Consumer<RelayControlClient> train(Endpoint to) {
    PacketTrain train =
        PacketTrain.builder()
            .testId(UUID.randomUUID())
            .to(to)
            .peer("r2")
            .key(TestChain.newKey())
            .packets(20)
            .bitsPerSecond(20_000_000L)
            .build();
    return relay -> {
      var _ = relay.runPacketTrain(train, TestChain.PATIENCE);
    };
  }

  /** Or a relay could be made to look for open ports. */
  @Test
  void whatIsAtAnAddressThatARelayNamesIsNotTold() throws IOException {
    try (ServerSocket listener = listen();
        ReservedPort nobody = ReservedPort.take();
        RelayNode relay =
            TestRelay.on(Transport.best()).installTimeout(Duration.ofMillis(200)).start("r")) {
      List<String> answers = new ArrayList<>();
      for (int port : List.of(listener.getLocalPort(), nobody.number())) {
        HopOutlet next = new HopOutlet("127.0.0.1", port, TestChain.newKey(), null);
        ChainPart part =
            TestParts.of(
                0, 60, new Ingress("127.0.0.1", 0, null, null, null), null, next, null, null, null);
        ProblemException problem =
            catchThrowableOfType(
                ProblemException.class,
                () ->
                    TestChain.control(relay).install(UUID.randomUUID(), part, TestChain.PATIENCE));
        answers.add(String.valueOf(problem.getMessage()).replace(":" + port, ":PORT"));
      }
      assertThat(answers.getFirst()).isEqualTo(answers.getLast());
    }
  }

  @Test
  void aRuleOpensIt() throws IOException {
    try (ServerSocket listener = listen();
        RelayNode relay = onTheNetwork(List.of("127.0.0.1:" + listener.getLocalPort()))) {
      int port = listener.getLocalPort();

      assertThat(install(relay, "127.0.0.1", port)).isPositive();
      assertThat(probe(relay, "127.0.0.1", port).connected()).isEqualTo(1);
    }
  }

  @Test
  void noRuleOpensTheRelaysOwnPorts() throws IOException {
    try (ServerSocket listener = listen();
        RelayNode relay = onTheNetwork(List.of("*", "127.0.0.0/8", "0.0.0.0/8", "::1"))) {
      int ingress = install(relay, "127.0.0.1", listener.getLocalPort());

      for (int port :
          List.of(relay.controlAddress().getPort(), relay.hopAddress().getPort(), ingress)) {
        for (String host : List.of("127.0.0.1", "localhost", "0.0.0.0", "::1")) {
          assertThat(refused(relay, host, port))
              .hasMessageContaining("a port of this relay itself");
          assertThat(probe(relay, host, port).attempts()).isZero();
        }
      }
    }
  }

  @Test
  void aPortThatAChainHasGivenBackIsTheRelaysOwnNoMore() throws IOException {
    try (ServerSocket listener = listen();
        RelayNode relay = onTheNetwork(List.of("127.0.0.0/8"))) {
      UUID chain = UUID.randomUUID();
      int ingress =
          Objects.requireNonNull(
              control(relay)
                  .install(chain, part("127.0.0.1", listener.getLocalPort()), TestChain.PATIENCE)
                  .ingressPort());
      control(relay).remove(chain, false, TestChain.PATIENCE);

      await().until(() -> !Boolean.TRUE.equals(probe(relay, "127.0.0.1", ingress).notAllowed()));
    }
  }

  private static ProblemException refused(RelayNode relay, String host, int port) {
    return catchThrowableOfType(ProblemException.class, () -> install(relay, host, port));
  }

  private static int install(RelayNode relay, String host, int port) {
    return Objects.requireNonNull(
        control(relay)
            .install(UUID.randomUUID(), part(host, port), TestChain.PATIENCE)
            .ingressPort());
  }

  private static ProbeReport probe(RelayNode relay, String host, int port) {
    return control(relay)
        .probe(
            ProbeRequest.builder().host(host).port(port).count(1).timeoutMillis(1_000).build(),
            TestChain.PATIENCE);
  }

  private static ChainPart part(String host, int port) {
    return TestParts.of(
        0,
        60,
        Ingress.builder().address("127.0.0.1").port(0).build(),
        null,
        null,
        Egress.builder().host(host).port(port).proxyProtocol(false).build(),
        null,
        null);
  }

  private static RelayControlClient control(RelayNode relay) {
    return new RelayControlClient(
        URI.create("http://127.0.0.1:" + relay.controlAddress().getPort()), TOKEN);
  }

  private static RelayNode onTheNetwork(List<String> destinations) throws IOException {
    return TestRelay.on(Transport.best())
        .listen("0.0.0.0", TOKEN)
        .proxies(new ProxySettings(null, null, List.of(), destinations, null))
        .start("r");
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 50, LOOPBACK);
  }
}
