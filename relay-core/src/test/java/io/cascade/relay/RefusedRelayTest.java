package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.carriage.transport.Transport;
import io.cascade.command.CommandException;
import io.cascade.relay.registration.FakeOrchestrator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A relay that its orchestrator refuses, or no longer knows, serves on. */
@Timeout(60)
class RefusedRelayTest {
  @TempDir private Path folder;
  private FakeOrchestrator orchestrator;
  private ServerSocket destination;
  private RelayNode relay;
  private TestChain chain;

  @SuppressWarnings("NullAway.Init")
  RefusedRelayTest() {}

  @BeforeEach
  void open() throws Exception {
    orchestrator = new FakeOrchestrator();
    destination = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
    relay = start();
    chain =
        TestChain.over(
            List.of(relay),
            new InetSocketAddress("127.0.0.1", destination.getLocalPort()),
            TestChain.defaults(),
            false);
    await().until(() -> !orchestrator.heartbeats.isEmpty());
  }

  @AfterEach
  void close() throws IOException {
    chain.close();
    destination.close();
    orchestrator.close();
  }

  /** Its heartbeats find another instance there, and its registrations another key. */
  @Test
  void servesOnWhileSomebodyElseHasItsName() throws Exception {
    serves();
    orchestrator.problem = "relay-unproven";
    orchestrator.registerStatus = 403;
    orchestrator.heartbeatStatus = 404;
    await().until(() -> orchestrator.registrations.size() >= 3);

    serves();

    orchestrator.registerStatus = 200;
    orchestrator.heartbeatStatus = 200;
    int before = orchestrator.heartbeats.size();
    await().until(() -> orchestrator.heartbeats.size() > before + 1);
    serves();
    assertThat(relay.isSuperseded()).isFalse();
  }

  @Test
  void servesOnWhateverItsHeartbeatsAreAnswered() throws Exception {
    orchestrator.problem = "relay-superseded";
    orchestrator.heartbeatStatus = 409;
    await().until(() -> orchestrator.registrations.size() >= 3);

    serves();

    assertThat(relay.isSuperseded()).isFalse();
  }

  @Test
  void registersAgainAsTheSameInstanceWhereItIsUnknownAndKeepsItsParts() throws Exception {
    RelayRegistration first = orchestrator.registrations.getFirst();
    orchestrator.heartbeatStatus = 404;
    await().until(() -> orchestrator.registrations.size() >= 2);
    orchestrator.heartbeatStatus = 200;

    RelayRegistration again = orchestrator.registrations.getLast();
    assertThat(again.instance()).isEqualTo(first.instance());
    assertThat(again.generation()).isEqualTo(first.generation());
    assertThat(again.sequence()).isGreaterThan(first.sequence());
    assertThat(chain.status(0).chainId()).isEqualTo(chain.id);
    serves();
  }

  /** Whoever is between it and the orchestrator can give both answers. */
  @Test
  void servesOnWhereItIsToldThatALaterStartOfItIsRegistered() throws Exception {
    orchestrator.problem = "relay-superseded";
    orchestrator.registerStatus = 409;
    orchestrator.heartbeatStatus = 404;
    await().until(() -> orchestrator.registrations.size() >= 4);

    serves();

    assertThat(relay.isSuperseded()).isFalse();
  }

  @Test
  void aSecondProcessWithItsIdentityDoesNotStart() {
    assertThatThrownBy(this::start)
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("another process uses it; fix: ");
  }

  private RelayNode start() throws IOException {
    return TestRelay.on(Transport.best())
        .orchestrator(orchestrator.address(), folder.resolve("r1.identity"))
        .start("r1");
  }

  private void serves() throws IOException {
    try (Socket client = chain.connect();
        Socket server = destination.accept()) {
      client.getOutputStream().write(42);
      assertThat(server.getInputStream().read()).isEqualTo(42);
    }
  }
}
