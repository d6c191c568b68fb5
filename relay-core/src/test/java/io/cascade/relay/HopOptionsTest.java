package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.HopOptions;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What one hop has otherwise than its chain, as the kernel says it of its connections. */
@Timeout(60)
class HopOptionsTest {
  private static final HopOptions OWN =
      HopOptions.builder()
          .congestionControl("reno")
          .keepAliveSeconds(77)
          .pacingBitsPerSecond(80_000_000L)
          .build();

  /** Versions of ss differ. */
  private static final Pattern OWN_PACING = Pattern.compile("pacing_rate \\S+/80(000000bps|Mbps)");

  @BeforeAll
  static void needsTheKernelsWord() {
    assumeTrue(Transport.EPOLL.available(), "no epoll");
    assumeTrue(
        CongestionControls.of(Transport.EPOLL, null)
            .offered()
            .containsAll(List.of("reno", "cubic")));
    try {
      connections("sport = :1");
    } catch (IOException e) {
      System.err.println("NOT TESTED: no ss here, of the package iproute2");
      assumeTrue(false, "no ss");
    }
  }

  @Test
  void bothEndsOfAHopHaveItAndItsNeighboursHaveTheChains() throws Exception {
    try (ServerSocket destination = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        TestChain chain = open(destination, 2);
        Socket client = chain.connect();
        Socket server = accept(destination, client)) {
      assertThat(ends(chain.relays.get(2).hopAddress().getPort()))
          .hasSize(2)
          .allSatisfy(HopOptionsTest::isOwn);
      assertThat(ends(chain.relays.get(1).hopAddress().getPort()))
          .hasSize(2)
          .allSatisfy(HopOptionsTest::isTheChains);
      assertThat(connections("dport = :" + server.getLocalPort()))
          .singleElement()
          .satisfies(HopOptionsTest::isTheChains);
      assertThat(connections("sport = :" + chain.ingressAddress().getPort()))
          .singleElement()
          .satisfies(HopOptionsTest::isTheChains);
    }
  }

  @Test
  void theLastHopHasItTowardsTheDestination() throws Exception {
    try (ServerSocket destination = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        TestChain chain = open(destination, 3);
        Socket client = chain.connect();
        Socket server = accept(destination, client)) {
      assertThat(connections("dport = :" + server.getLocalPort()))
          .singleElement()
          .satisfies(HopOptionsTest::isOwn);
      assertThat(ends(chain.relays.get(2).hopAddress().getPort()))
          .hasSize(2)
          .allSatisfy(HopOptionsTest::isTheChains);
    }
  }

  /** A chain without warm connections, so that every connection belongs to the stream. */
  private static TestChain open(ServerSocket destination, int hop) throws Exception {
    return TestChain.open(
        3,
        Transport.EPOLL,
        new InetSocketAddress("127.0.0.1", destination.getLocalPort()),
        TestChain.options(Map.of("warmConnections", 0, "congestionControl", "cubic")),
        new HopAddress(0, 0, hop),
        OWN);
  }

  /** Once bytes have passed through all of the chain. */
  private static Socket accept(ServerSocket destination, Socket client) throws IOException {
    Socket server = destination.accept();
    client.getOutputStream().write(42);
    assertThat(server.getInputStream().read()).isEqualTo(42);
    return server;
  }

  private static void isOwn(String connection) {
    assertThat(connection).contains(" reno ").containsPattern(OWN_PACING);
  }

  private static void isTheChains(String connection) {
    assertThat(connection).contains(" cubic ").doesNotContainPattern(OWN_PACING);
  }

  private static List<String> ends(int port) throws Exception {
    return connections("( sport = :" + port + " or dport = :" + port + " )");
  }

  /** A line each, as {@code ss} has them; of this machine's loopback alone. */
  private static List<String> connections(String which) throws IOException {
    Process ss =
        new ProcessBuilder("ss", "-HtinO", "state", "established", which)
            .redirectErrorStream(true)
            .start();
    return ss.inputReader().lines().toList();
  }
}
