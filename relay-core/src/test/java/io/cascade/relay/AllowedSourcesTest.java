package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cascade.api.client.ProblemException;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A chain's first relay takes streams of the clients that the chain's opener named, and no others.
 */
@Timeout(60)
class AllowedSourcesTest {
  private static final String CLIENT = "127.0.0.3";
  private static final String STRANGER = "127.0.0.2";
  private static final List<String> CLIENTS =
      List.of("192.0.2.0/24", "127.0.0.3/32", "2001:db8::/32");

  private final UUID chain = UUID.randomUUID();
  private final String key = TestChain.newKey();
  private ServerSocket destination;
  private RelayNode first;
  private RelayNode second;

  @BeforeEach
  void start() throws IOException {
    destination = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    Thread.ofVirtual().start(this::serve);
    first = TestRelay.on(Transport.best()).start("r1");
    second = TestRelay.on(Transport.best()).start("r2");
  }

  @AfterEach
  void stop() throws IOException {
    first.close();
    second.close();
    destination.close();
  }

  @Test
  void othersAreResetAtTheFirstRelayAndCostNoStreamBehindIt() throws Exception {
    int port = port(install(CLIENTS));

    assertThat(isServed(STRANGER, port)).isFalse();
    assertThat(isServed(CLIENT, port)).isTrue();
    assertThat(first.chains.counters().streamsOfRefusedSources()).isOne();
    assertThat(TestChain.control(second).show(chain, TestChain.PATIENCE).totals().opened()).isOne();
  }

  @Test
  void aRelayTellsWhetherItLimitsThem() throws Exception {
    assertThat(install(null).sourcesLimited()).isFalse();
    assertThat(sourcesLimited(first)).isFalse();
    assertThat(install(CLIENTS).sourcesLimited()).isTrue();
    assertThat(install(CLIENTS).sourcesLimited()).as("the same again").isTrue();
    assertThat(sourcesLimited(first)).isTrue();
    assertThat(sourcesLimited(second)).as("no streams begin there").isNull();
  }

  private @Nullable Boolean sourcesLimited(RelayNode relay) throws Exception {
    return TestChain.control(relay).list(TestChain.PATIENCE).parts().getFirst().sourcesLimited();
  }

  /** As a part is put again that was put without them. */
  @Test
  void aPartThatNamesThemLaterHoldsAtTheSamePortAndRunningStreamsGoOn() throws Exception {
    int port = port(install(null));
    try (Socket running =
        new Socket(InetAddress.ofLiteral("127.0.0.1"), port, InetAddress.ofLiteral(STRANGER), 0)) {
      running.getOutputStream().write(7);
      assertThat(running.getInputStream().read()).isEqualTo(7);

      assertThat(port(install(CLIENTS, port))).isEqualTo(port);

      assertThat(isServed(STRANGER, port)).isFalse();
      assertThat(isServed(CLIENT, port)).isTrue();
      running.getOutputStream().write(8);
      assertThat(running.getInputStream().read()).isEqualTo(8);
    }
  }

  @Test
  void aPartThatNamesOthersHoldsForWhoeverConnectsFromThenOn() throws Exception {
    int port = port(install(CLIENTS));
    assertThat(port(install(List.of(STRANGER), port))).isEqualTo(port);

    assertThat(isServed(STRANGER, port)).isTrue();
    assertThat(isServed(CLIENT, port)).isFalse();
  }

  @Test
  void whatIsNoAddressIsRefused() {
    assertThatThrownBy(() -> install(List.of("10.0.0.0/33")))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("allowSources: 10.0.0.0/33 (expected: /0 to /32)");
  }

  @Test
  void aSuccessorOfTheRelayTakesNoOthersEither(@TempDir Path folder) throws Exception {
    assumeThat(Transport.EPOLL.available())
        .as("SKIPPED: sockets are handed over on Linux's epoll only")
        .isTrue();
    first.close();
    Path meeting = folder.resolve("r1.sock");
    first = TestRelay.on(Transport.EPOLL).handOver(meeting).start("r1");
    int port = port(install(CLIENTS));

    try (RelayNode after = TestRelay.on(Transport.EPOLL).handOver(meeting).start("r1")) {
      assertThat(isServed(CLIENT, port)).isTrue();
      assertThat(isServed(STRANGER, port)).isFalse();
      assertThat(after.chains.counters().streamsOfRefusedSources()).isOne();
    }
  }

  @Test
  void behindABalancerTheClientThatItNamesCounts() throws Exception {
    first.close();
    first = TestRelay.on(Transport.best()).balancers("127.0.0.1").start("r1");
    int port = port(install(CLIENTS));

    assertThat(isServed("127.0.0.1", port, "PROXY TCP4 192.0.2.7 192.0.2.1 5000 20000\r\n"))
        .isTrue();
    assertThat(isServed("127.0.0.1", port, "PROXY TCP4 198.51.100.7 192.0.2.1 5000 20000\r\n"))
        .isFalse();
  }

  private static int port(InstalledPart part) {
    return Objects.requireNonNull(part.ingressPort());
  }

  private InstalledPart install(@Nullable List<String> sources) throws Exception {
    return install(sources, 0);
  }

  private InstalledPart install(@Nullable List<String> sources, int port) throws Exception {
    TestChain.control(second)
        .install(
            chain,
            TestParts.of(
                1,
                60,
                null,
                HopInlet.builder().key(key).build(),
                null,
                new Egress("127.0.0.1", destination.getLocalPort(), false, null),
                null,
                null),
            TestChain.PATIENCE);
    return TestChain.control(first)
        .install(
            chain,
            TestParts.of(
                0,
                60,
                new Ingress(null, port, null, null, sources),
                null,
                HopOutlet.builder()
                    .host("127.0.0.1")
                    .port(second.hopAddress().getPort())
                    .key(key)
                    .build(),
                null,
                null,
                null),
            TestChain.PATIENCE);
  }

  private static boolean isServed(String from, int port) {
    return isServed(from, port, "");
  }

  private static boolean isServed(String from, int port, String before) {
    try (Socket client =
        new Socket(InetAddress.ofLiteral("127.0.0.1"), port, InetAddress.ofLiteral(from), 0)) {
      client.getOutputStream().write((before + "7").getBytes(StandardCharsets.US_ASCII));
      return client.getInputStream().read() == '7';
    } catch (IOException e) {
      return false; // reset
    }
  }

  /** Sends all bytes back. */
  private void serve() {
    while (!destination.isClosed()) {
      try {
        Socket accepted = destination.accept();
        Thread.ofVirtual()
            .start(() -> {
              try (accepted) {
                accepted.getInputStream().transferTo(accepted.getOutputStream());
              } catch (IOException e) {
                // Reset with its client.
              }
            });
      } catch (IOException e) {
        return;
      }
    }
  }
}
