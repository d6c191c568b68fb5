package io.cascade.relay;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.StreamTotals;
import io.cascade.carriage.transport.Transport;
import io.cascade.kernel.settings.KernelSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a running relay tells of itself, and what can be changed while it runs. */
@Timeout(120)
class LiveRelayTest {
  private static final Transport TRANSPORT = Transport.best();

  private final List<Socket> sockets = new ArrayList<>();
  private ServerSocket destination;

  @SuppressWarnings("NullAway.Init")
  LiveRelayTest() {}

  @BeforeEach
  void listen() throws IOException {
    destination = new ServerSocket(0, 500, InetAddress.getByName("127.0.0.1"));
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    destination.close();
  }

  @Test
  void relaysBeforeAReaderThatStallsWaitForTheirSink() throws Exception {
    try (TestChain chain = open(2)) {
      fill(connect(chain));
      Socket server = accept(); // and never reads
      await()
          .atMost(TestChain.PATIENCE)
          .until(
              () -> forward(chain, 0).sinkSeconds() > 0.2 && forward(chain, 1).sinkSeconds() > 0.2);
      assertThat(requireNonNull(totals(chain, 0).backwardStalls()).sinkSeconds()).isZero();
      assertThat(forward(chain, 1).budgetSeconds()).isZero();
      assertThat(requireNonNull(chain.streams(1).getFirst().forward().stalls()).sinkSeconds())
          .isPositive();
      server.close();
    }
  }

  @Test
  void aRelayOfAnIdleStreamWaitsForData() throws Exception {
    try (TestChain chain = open(1)) {
      Socket client = connect(chain);
      Socket server = accept();
      client.getOutputStream().write(1);
      assertThat(server.getInputStream().read()).isEqualTo(1);
      double before = forward(chain, 0).dataSeconds();
      await()
          .atMost(TestChain.PATIENCE)
          .until(() -> forward(chain, 0).dataSeconds() > before + 0.2);
    }
  }

  @Test
  void aRelayWhoseMemoryIsSpentSaysSo() throws Exception {
    try (TestChain chain = open(1)) {
      chain.control(0).change(Limits.builder().memoryBytes(1L << 20).build(), TestChain.PATIENCE);
      for (int i = 0; i < 24; i++) {
        fill(connect(chain));
        accept();
      }
      await().atMost(TestChain.PATIENCE).until(() -> forward(chain, 0).budgetSeconds() > 0.2);
    }
  }

  @Test
  void theKernelsAccountOfAHopOutlivesItsStreams() throws Exception {
    assertThat(TRANSPORT.isNative()).as("needs a transport that reads TCP_INFO").isTrue();
    try (TestChain chain = open(2)) {
      Socket client = connect(chain);
      Socket server = accept();
      client.getOutputStream().write(new byte[1 << 20]);
      assertThat(server.getInputStream().readNBytes(1 << 20)).hasSize(1 << 20);
      HopConnections running = totals(chain, 0).outlets().getFirst();
      assertThat(running.connections()).isEqualTo(1);
      assertThat(running.minRttMillis()).isPositive();
      assertThat(running.congestionWindowSegments()).isPositive();
      assertThat(running.sentSegments()).isPositive();
      client.close();
      server.close();
      await().atMost(TestChain.PATIENCE).until(() -> totals(chain, 0).running() == 0);
      HopConnections past = totals(chain, 0).outlets().getFirst();
      assertThat(past.connections()).isZero();
      assertThat(past.sentSegments()).isGreaterThanOrEqualTo(running.sentSegments());
      assertThat(past.ackedBytes()).isBetween(1L << 20, (1L << 20) + 1_000); // with hop headers
      assertThat(past.busyMillis()).isNotNegative();
      assertThat(past.receiverLimitedMillis()).isLessThanOrEqualTo(past.busyMillis());
      assertThat(past.senderLimitedMillis()).isLessThanOrEqualTo(past.busyMillis());
      assertThat(past.congestionControl()).isEqualTo(KernelSettings.congestionControl());
    }
  }

  @Test
  void fewerStreamsFromNowOnLeavesThoseThatRun() throws Exception {
    try (TestChain chain = open(1)) {
      Socket client = connect(chain);
      Socket server = accept();
      client.getOutputStream().write(1);
      assertThat(server.getInputStream().read()).isEqualTo(1);

      Limits limits =
          chain.control(0).change(Limits.builder().maxStreams(1).build(), TestChain.PATIENCE);

      assertThat(limits.maxStreams()).isEqualTo(1);
      assertThatThrownBy(() -> connect(chain).getInputStream().read())
          .isInstanceOf(IOException.class);
      assertThat(chain.relays.getFirst().chains.counters().shedStreams()).isEqualTo(1);
      client.getOutputStream().write(2);
      assertThat(server.getInputStream().read()).isEqualTo(2);
      chain.control(0).change(Limits.builder().maxStreams(2).build(), TestChain.PATIENCE);
      connect(chain).getOutputStream().write(3);
      assertThat(accept().getInputStream().read()).isEqualTo(3);
    }
  }

  @Test
  void aChainTakesAsManyStreamsAsItMayAndOthersGoOn() throws Exception {
    InetSocketAddress at = new InetSocketAddress("127.0.0.1", destination.getLocalPort());
    StreamOptions two = TestChain.options(Map.of("maxStreams", 2));
    try (TestChain chain = TestChain.open(2, TRANSPORT, at, two)) {
      Socket first = connect(chain);
      Socket ended = accept();
      first.getOutputStream().write(1);
      assertThat(ended.getInputStream().read()).isEqualTo(1);
      Socket second = connect(chain);
      Socket server = accept();
      second.getOutputStream().write(2);
      assertThat(server.getInputStream().read()).isEqualTo(2);

      assertThatThrownBy(() -> connect(chain).getInputStream().read())
          .isInstanceOf(IOException.class);
      assertThat(chain.relays.getFirst().chains.counters().shedStreams()).isEqualTo(1);
      second.getOutputStream().write(3);
      assertThat(server.getInputStream().read()).isEqualTo(3);
      assertThat(totals(chain, 0).opened()).isEqualTo(2);

      first.close();
      ended.close();
      await().atMost(TestChain.PATIENCE).until(() -> totals(chain, 0).running() == 1);
      connect(chain).getOutputStream().write(4);
      assertThat(accept().getInputStream().read()).isEqualTo(4);
    }
  }

  @Test
  void moreThanTheVirtualMachineGivesIsRefusedAndNothingChanges() throws Exception {
    try (TestChain chain = open(1)) {
      Limits before = chain.control(0).limits(TestChain.PATIENCE);

      assertThatThrownBy(() ->
              chain
                  .control(0)
                  .change(
                      Limits.builder().maxStreams(7).memoryBytes(1L << 40).build(),
                      TestChain.PATIENCE))
          .isInstanceOfSatisfying(
              ProblemException.class,
              problem -> {
                assertThat(problem.status()).isEqualTo(422);
                assertThat(problem).hasMessageContaining("CASCADE_DIRECT_MEMORY=");
              });

      assertThat(chain.control(0).limits(TestChain.PATIENCE)).isEqualTo(before);
    }
  }

  @Test
  void aSmallerStreamBudgetHoldsForStreamsThatBegin() throws Exception {
    try (TestChain chain = open(1)) {
      chain.control(0).change(Limits.builder().streamBytes(65_536L).build(), TestChain.PATIENCE);
      fill(connect(chain));
      accept();
      await().atMost(TestChain.PATIENCE).until(() -> forward(chain, 0).sinkSeconds() > 0.2);
      assertThat(chain.streams(0).getFirst().forward().peakHeldBytes()).isBetween(1L, 32_768L);
    }
  }

  private TestChain open(int relays) throws Exception {
    return TestChain.open(
        relays,
        TRANSPORT,
        new InetSocketAddress("127.0.0.1", destination.getLocalPort()),
        TestChain.defaults());
  }

  private Socket connect(TestChain chain) throws IOException {
    Socket socket = chain.connect();
    sockets.add(socket);
    return socket;
  }

  private Socket accept() throws IOException {
    Socket socket = destination.accept();
    sockets.add(socket);
    return socket;
  }

  private static StreamTotals totals(TestChain chain, int relay) {
    return chain.control(relay).show(chain.id, TestChain.PATIENCE).totals();
  }

  private static Stalls forward(TestChain chain, int relay) {
    return requireNonNull(totals(chain, relay).forwardStalls());
  }

  private static void fill(Socket socket) {
    Thread.startVirtualThread(() -> {
      try {
        byte[] piece = new byte[65_536];
        while (true) {
          socket.getOutputStream().write(piece);
        }
      } catch (IOException e) {
        // the test is over
      }
    });
  }
}
