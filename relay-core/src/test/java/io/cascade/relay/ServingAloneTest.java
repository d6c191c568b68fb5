package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.RelayControlClient;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.chain.ManualClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays whose orchestrator is away, on clocks that the test moves. */
@Timeout(60)
class ServingAloneTest {
  private static final int LEASE_SECONDS = 60;
  private static final Duration ALONE = Duration.ofHours(1);

  private final ManualClock clock = new ManualClock();
  private final List<RelayNode> successors = new ArrayList<>();
  private ServerSocket destination;

  @SuppressWarnings("NullAway.Init")
  ServingAloneTest() {}

  @BeforeEach
  void listen() throws IOException {
    destination = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws IOException {
    successors.forEach(RelayNode::close);
    destination.close();
  }

  @Test
  void noNewStreamFailsInTenMinutesWithoutAnOrchestrator() throws Exception {
    try (TestChain chain = chain(3, ALONE)) {
      for (int minute = 0; minute < 10; minute++) {
        passThrough(chain);
        clock.pass(Duration.ofMinutes(1));
        look(chain);
      }
      passThrough(chain);
      for (int place = 0; place < 3; place++) {
        PartStatus part = chain.status(place);
        assertThat(part.state()).isEqualTo(PartState.UNATTENDED);
        assertThat(part.leaseExpiresAt()).isEqualTo(ManualClock.START.plusSeconds(LEASE_SECONDS));
        assertThat(part.aloneSecondsLeft()).isEqualTo(50 * 60.0);
        assertThat(chain.relays.get(place).chains.unattendedChains()).isEqualTo(1);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-315_360_000, -3_600, 61, 3_600, 86_400, 315_360_000})
  void stepsOfTheTimeOfDayEndNothing(long seconds) throws Exception {
    try (TestChain chain = chain(2, Duration.ZERO)) {
      clock.step(Duration.ofSeconds(seconds));
      look(chain);
      passThrough(chain);
      assertThat(chain.status(0).state()).isEqualTo(PartState.READY);
      clock.pass(Duration.ofSeconds(LEASE_SECONDS + 1));
      clock.step(Duration.ofSeconds(-seconds));
      look(chain);
      // A part goes with its last stream, which its relay sees the end of a moment after its
      // client.
      RelayControlClient first = TestChain.control(chain.relays.get(0));
      await().until(() -> first.list(TestChain.PATIENCE).parts().isEmpty());
    }
  }

  @Test
  void aRenewalAttendsToAnUnattendedPartAndStreamsGoOn() throws Exception {
    try (TestChain chain = chain(2, ALONE);
        Socket client = chain.connect();
        Socket server = destination.accept()) {
      clock.pass(Duration.ofMinutes(30));
      look(chain);
      assertThat(chain.status(1).state()).isEqualTo(PartState.UNATTENDED);
      renew(chain);
      PartStatus part = chain.status(1);
      assertThat(part.state()).isEqualTo(PartState.READY);
      assertThat(part.aloneSecondsLeft()).isNull();
      clock.pass(ALONE.minusSeconds(1));
      look(chain);
      passThrough(chain);
      client.getOutputStream().write(7);
      assertThat(server.getInputStream().read()).isEqualTo(7);
    }
  }

  @Test
  void whenTheLimitIsReachedNoNewStreamIsTakenAndTheRunningOnesFinish() throws Exception {
    try (TestChain chain = chain(1, ALONE)) {
      try (Socket client = chain.connect();
          Socket server = destination.accept()) {
        clock.pass(ALONE);
        look(chain);
        assertThat(chain.status(0).state()).isEqualTo(PartState.EXPIRED);
        assertThatThrownBy(() -> chain.connect().close()).isInstanceOf(IOException.class);
        assertThat(
                chain.control(0).renew(new LeaseRenewal(60, List.of(chain.id)), TestChain.PATIENCE))
            .satisfies(answer -> assertThat(answer.unknown()).containsExactly(chain.id));
        client.getOutputStream().write("still here".getBytes());
        client.shutdownOutput();
        assertThat(server.getInputStream().readAllBytes()).asString().isEqualTo("still here");
      }
      await()
          .atMost(TestChain.PATIENCE)
          .until(() -> chain.control(0).list(TestChain.PATIENCE).parts().isEmpty());
    }
  }

  @Test
  void aRelayIsIdleOnceItHasNeitherPartsNorStreams() throws Exception {
    try (TestChain chain = chain(1, ALONE)) {
      RelayNode relay = chain.relays.getFirst();
      assertThat(relay.chains.isIdle()).isFalse();
      try (Socket client = chain.connect();
          Socket server = destination.accept()) {
        chain.control(0).remove(chain.id, false, TestChain.PATIENCE);
        assertThat(relay.chains.isIdle()).isFalse();
        client.shutdownOutput();
        server.shutdownOutput();
        await().atMost(TestChain.PATIENCE).until(relay.chains::isIdle);
      }
    }
  }

  @Test
  void anUnattendedPartIsRemovedAsAnyOther() throws Exception {
    try (TestChain chain = chain(1, ALONE)) {
      clock.pass(Duration.ofMinutes(10));
      chain.control(0).remove(chain.id, false, TestChain.PATIENCE);
      assertThatThrownBy(() -> chain.connect().close()).isInstanceOf(IOException.class);
      assertThat(chain.control(0).list(TestChain.PATIENCE).parts()).isEmpty();
    }
  }

  @Test
  void aSuccessorServesOnAndCountsOn(@TempDir Path folder) throws Exception {
    assumeThat(Transport.EPOLL.available())
        .as("SKIPPED: sockets are handed over on Linux's epoll only")
        .isTrue();
    Path meeting = folder.resolve("r.sock");
    RelayNode before =
        TestRelay.on(Transport.EPOLL)
            .clock(clock.clock())
            .serveAlone(ALONE)
            .handOver(meeting)
            .start("r");
    try (TestChain chain = TestChain.over(List.of(before), at(), TestChain.defaults(), false)) {
      renew(chain);
      clock.pass(Duration.ofMinutes(10));
      ManualClock other = new ManualClock(5_000_000_000_000L);
      other.step(Duration.ofHours(-1));
      RelayNode after =
          TestRelay.on(Transport.EPOLL)
              .clock(other.clock())
              .serveAlone(ALONE)
              .handOver(meeting)
              .start("r");
      successors.add(after);
      passThrough(chain);
      PartStatus part = TestChain.control(after).show(chain.id, TestChain.PATIENCE);
      assertThat(part.state()).isEqualTo(PartState.UNATTENDED);
      assertThat(part.aloneSecondsLeft()).isEqualTo(50 * 60.0);
      other.pass(Duration.ofMinutes(50));
      after.chains.expireLeases();
      await().until(() -> TestChain.control(after).list(TestChain.PATIENCE).parts().isEmpty());
    }
  }

  /** A chain under a lease of a minute. */
  private TestChain chain(int length, Duration serveAlone) throws Exception {
    List<RelayNode> relays = new ArrayList<>();
    for (int place = 0; place < length; place++) {
      relays.add(
          TestRelay.on(Transport.best())
              .clock(clock.clock())
              .serveAlone(serveAlone)
              .start("r" + place));
    }
    TestChain chain = TestChain.over(relays, at(), TestChain.defaults(), false);
    renew(chain);
    return chain;
  }

  private InetSocketAddress at() {
    return new InetSocketAddress("127.0.0.1", destination.getLocalPort());
  }

  private static void renew(TestChain chain) {
    for (RelayNode relay : chain.relays) {
      assertThat(
              TestChain.control(relay)
                  .renew(new LeaseRenewal(LEASE_SECONDS, List.of(chain.id)), TestChain.PATIENCE)
                  .renewed())
          .containsExactly(chain.id);
    }
  }

  /** Looks for expired leases, as every relay does several times a second. */
  private static void look(TestChain chain) {
    chain.relays.forEach(relay -> relay.chains.expireLeases());
  }

  private void passThrough(TestChain chain) throws IOException {
    try (Socket client = chain.connect()) {
      client.getOutputStream().write(42);
      try (Socket server = destination.accept()) {
        assertThat(server.getInputStream().read()).isEqualTo(42);
      }
    }
  }
}
