package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.ForwardMode;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.StreamReport;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.chain.PartRefused;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts that cannot be installed, and connections that die while they wait. */
@Timeout(60)
class RelayFaultsTest {
  /** The least that the contract takes. */
  private static final int SMALLEST_SPOOL = 65_536;

  private ServerSocket destination;

  @BeforeEach
  void listen() throws IOException {
    destination = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws IOException {
    destination.close();
  }

  @Test
  void aTakenPortIsNamedAndNothingStays() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).start("r")) {
      ChainPart part =
          single(Ingress.builder().port(destination.getLocalPort()).build(), "127.0.0.1", 60, null);
      assertRefused(relay, part, "port-taken");
    }
  }

  @Test
  void withoutATokenThereIsNoIngressThatOthersReach() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).start("r")) {
      for (String everybody : new String[] {"0.0.0.0", "::"}) {
        ChainPart part =
            single(Ingress.builder().address(everybody).port(0).build(), "127.0.0.1", 60, null);
        assertRefused(relay, part, "invalid-part");
      }
    }
  }

  @Test
  void anUnresolvableDestinationIsRefused() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).start("r")) {
      ChainPart part = single(Ingress.builder().port(0).build(), "no-such-host.invalid", 60, null);
      assertRefused(relay, part, "unresolvable");
    }
  }

  @Test
  void aPartThatContradictsItselfIsRefused() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).start("r")) {
      ChainPart part =
          TestParts.of(
              0,
              60,
              Ingress.builder().port(0).build(),
              HopInlet.builder().key(TestChain.newKey()).build(),
              null,
              Egress.builder().host("127.0.0.1").port(9).proxyProtocol(false).build(),
              null,
              null);
      assertRefused(relay, part, "invalid-part");
    }
  }

  @Test
  void aCongestionControlThatTheKernelLacksIsRefused() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).start("r")) {
      StreamOptions options = TestChain.options(Map.of("congestionControl", "nosuchcc"));
      assertRefused(
          relay,
          single(Ingress.builder().port(0).build(), "127.0.0.1", 60, options),
          "unsupported");
    }
  }

  @Test
  void aCongestionControlThatTheOperatorDoesNotAllowIsRefused() throws Exception {
    assumeTrue(
        CongestionControls.of(Transport.best(), null)
            .offered()
            .containsAll(List.of("reno", "cubic")),
        "NOT TESTED: no reno or no cubic here");
    try (RelayNode relay = TestRelay.on(Transport.best()).controls("reno").start("r")) {
      StreamOptions options = TestChain.options(Map.of("congestionControl", "cubic"));
      assertRefused(
          relay,
          single(Ingress.builder().port(0).build(), "127.0.0.1", 60, options),
          "unsupported");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"startAfterBytes", "chunkBytes"})
  void whatAGateHoldsBackHasToFitIntoAQuarterOfTheBuffer(String option) throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).start("r")) {
      StreamOptions tooMuch = TestChain.options(Map.of("bufferBytes", 1 << 20, option, 262_145));
      assertRefused(
          relay,
          single(Ingress.builder().port(0).build(), "127.0.0.1", 60, tooMuch),
          "invalid-part");
    }
  }

  @Test
  void aRelayForwardsInOneMannerOnly() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).start("r")) {
      StreamOptions both = TestChain.options(Map.of("startAfterWindows", 2, "chunkBytes", 1_000));
      assertRefused(
          relay, single(Ingress.builder().port(0).build(), "127.0.0.1", 60, both), "invalid-part");
    }
  }

  @Test
  void twoRelaysWithoutACommonKeyAreNoChain() throws Exception {
    try (RelayNode first =
            TestRelay.on(Transport.best()).installTimeout(Duration.ofMillis(500)).start("a");
        RelayNode second = TestRelay.on(Transport.best()).start("b")) {
      UUID id = UUID.randomUUID();
      TestChain.control(second).install(id, egressPart(), TestChain.PATIENCE);
      ChainPart ingress =
          TestParts.of(
              0,
              60,
              Ingress.builder().port(0).build(),
              null,
              HopOutlet.builder()
                  .host("127.0.0.1")
                  .port(second.hopAddress().getPort())
                  .key(TestChain.newKey())
                  .build(),
              null,
              null,
              null);
      assertThatThrownBy(() -> TestChain.control(first).install(id, ingress, TestChain.PATIENCE))
          .isInstanceOfSatisfying(
              ProblemException.class,
              problem -> assertThat(problem.type()).endsWith("next-relay-unreachable"));
      assertThat(TestChain.control(first).list(TestChain.PATIENCE).parts()).isEmpty();
    }
  }

  @Test
  void theSamePartAgainIsARenewal() throws Exception {
    try (TestChain chain = chain(TestChain.defaults());
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      var again =
          chain
              .control(2)
              .install(chain.id, chain.part(2, at(), TestChain.defaults()), TestChain.PATIENCE);
      assertThat(again.renewed()).isTrue();
      client.getOutputStream().write(1);
      assertThat(server.getInputStream().read()).isEqualTo(1);
    }
  }

  @Test
  void aStreamWorksAlthoughEveryWarmConnectionHasDied() throws Exception {
    try (TestChain chain = chain(TestChain.defaults())) {
      for (int round = 0; round < 5; round++) {
        // Another inlet with the same key closes every connection that waited at the old one.
        StreamOptions other = TestChain.buffer((1 << 20) + (long) round * 65_536);
        chain.control(1).install(chain.id, chain.part(1, at(), other), TestChain.PATIENCE);
        try (Socket client = chain.connect();
            Socket server = destination.accept()) {
          client.getOutputStream().write("through".getBytes());
          client.shutdownOutput();
          assertThat(server.getInputStream().readAllBytes()).asString().isEqualTo("through");
        }
      }
    }
  }

  @Test
  void removingAChainLetsStreamsFinishOrResetsThem() throws Exception {
    try (TestChain chain = chain(TestChain.defaults());
        Socket kept = chain.connect();
        Socket server = destination.accept()) {
      chain.control(0).remove(chain.id, false, TestChain.PATIENCE);
      kept.getOutputStream().write(1);
      assertThat(server.getInputStream().read()).isEqualTo(1);
      chain.control(0).remove(chain.id, true, TestChain.PATIENCE);
      assertThatThrownBy(() -> kept.getInputStream().read()).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(IOException.class);
    }
  }

  @Test
  void aQuietStreamIsResetAfterItsIdleTimeOut() throws Exception {
    StreamOptions idle = TestChain.options(Map.of("idleTimeoutSeconds", 1));
    try (TestChain chain = chain(idle);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(IOException.class);
      assertThat(reasons(chain)).contains("idle-timeout");
    }
  }

  @Test
  void aStreamThatTheNextRelayRefusesIsReset() throws Exception {
    try (TestChain chain = chain(TestChain.cold())) {
      ChainPart anotherKey =
          TestParts.of(
              2,
              60,
              null,
              HopInlet.builder().key(TestChain.newKey()).build(),
              null,
              egress("127.0.0.1"),
              TestChain.cold(),
              null);
      chain.control(2).install(chain.id, anotherKey, TestChain.PATIENCE);
      // The reset may come before connect(2) has returned.
      assertThatThrownBy(() -> connectAndRead(chain)).isInstanceOf(IOException.class);
      assertThat(reasons(chain)).contains("next-relay-refused");
    }
  }

  @Test
  void aStreamThatMayNotStoreMoreIsReset() throws Exception {
    StreamOptions store =
        TestChain.options(
            Map.of("mode", ForwardMode.STORE_AND_FORWARD, "spoolBytes", SMALLEST_SPOOL));
    try (TestChain chain = chain(store);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.getOutputStream().write(new byte[SMALLEST_SPOOL + 1]);
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(IOException.class);
      assertThat(reasons(chain)).contains("storage-failed");
    }
  }

  @Test
  void moreChainsThanARelayMayHoldAreRefused() throws Exception {
    try (RelayNode relay = TestRelay.on(Transport.best()).start("r")) {
      ChainPart part = egressPart();
      for (int i = 0; i < 1_024; i++) {
        relay.chains.install(new UUID(1, i), part, 0);
      }
      assertThatThrownBy(() -> relay.chains.install(new UUID(2, 0), part, 0))
          .isInstanceOfSatisfying(
              PartRefused.class,
              refused -> assertThat(refused.kind()).isEqualTo(PartRefused.Kind.LIMIT));
      relay.chains.remove(new UUID(1, 0), false, 0, 0);
      relay.chains.install(new UUID(2, 0), part, 0);
    }
  }

  @Test
  void whatIsHeldIsGivenBack() throws Exception {
    try (TestChain chain = chain(TestChain.defaults())) {
      List<Socket> open = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        Socket client = chain.connect();
        client.getOutputStream().write(new byte[100_000]);
        open.add(client);
        open.add(destination.accept());
      }
      for (Socket socket : open) {
        socket.setSoLinger(true, 0);
        socket.close();
      }
      for (int relay = 0; relay < 3; relay++) {
        var control = chain.control(relay);
        await()
            .atMost(TestChain.PATIENCE)
            .until(() -> control.health(TestChain.PATIENCE).runningStreams() == 0);
        assertThat(control.health(TestChain.PATIENCE).heldBytes()).isZero();
      }
    }
  }

  /** Why the streams of a chain ended, at any of its relays; waits until one has. */
  private static List<String> reasons(TestChain chain) {
    return await()
        .atMost(TestChain.PATIENCE)
        .until(
            () ->
                IntStream.range(0, chain.relays.size())
                    .mapToObj(chain::streams)
                    .flatMap(List::stream)
                    .map(StreamReport::reason)
                    .filter(Objects::nonNull)
                    .toList(),
            reasons -> !reasons.isEmpty());
  }

  private ChainPart egressPart() {
    return TestParts.of(
        1,
        60,
        null,
        HopInlet.builder().key(TestChain.newKey()).build(),
        null,
        egress("127.0.0.1"),
        null,
        null);
  }

  private void assertRefused(RelayNode relay, ChainPart part, String kind) {
    assertThatThrownBy(
            () -> TestChain.control(relay).install(UUID.randomUUID(), part, TestChain.PATIENCE))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.type()).endsWith(":" + kind));
    assertThat(TestChain.control(relay).list(TestChain.PATIENCE).parts()).isEmpty();
  }

  private ChainPart single(
      Ingress ingress,
      String host,
      int lease,
      @org.jspecify.annotations.Nullable StreamOptions options) {
    return TestParts.of(0, lease, ingress, null, null, egress(host), options, null);
  }

  private Egress egress(String host) {
    return Egress.builder()
        .host(host)
        .port(destination.getLocalPort())
        .proxyProtocol(false)
        .build();
  }

  private TestChain chain(StreamOptions options) throws Exception {
    return TestChain.open(3, Transport.best(), at(), options);
  }

  private InetSocketAddress at() {
    return new InetSocketAddress("127.0.0.1", destination.getLocalPort());
  }

  private static int connectAndRead(TestChain chain) throws IOException {
    try (Socket client = chain.connect()) {
      return client.getInputStream().read();
    }
  }
}
