package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.orchestrator.Role;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys of relays and of the orchestrator change, and running streams know nothing of it. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class KeysUnderStreamsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String TOKEN = "of-this-test";
  private static final List<String> RELAYS = List.of("r1", "r2");

  @TempDir private Path folder;
  private final List<Verb> processes = new ArrayList<>();
  private final Map<String, String> keys = new LinkedHashMap<>();
  private ServerSocket destination;
  private URI address;
  private String admin;
  private OrchestratorClient client;
  private Chain chain;
  private Socket stream;
  private Socket server;

  @SuppressWarnings("NullAway.Init")
  KeysUnderStreamsTest() {}

  @BeforeEach
  void start() throws Exception {
    destination = new ServerSocket(0);
    Verb orchestrator =
        verb(
            "orchestrator",
            "--listen",
            "127.0.0.1:0",
            "--tls",
            "on",
            "--token",
            TOKEN,
            "--state-dir",
            folder.resolve("state").toString());
    address = URI.create(orchestrator.awaitLine("cascade orchestrator ready at (\\S+)").group(1));
    // Not the token: that is not looked at while the relays' void keys fail to sign in from here.
    admin =
        new OrchestratorClient(address, TOKEN)
            .createKey(ApiKeyRequest.builder().name("admin").role(Role.ADMIN).build())
            .secret();
    client = new OrchestratorClient(address, admin);
    for (String name : RELAYS) {
      keys.put(
          name,
          client.createKey(ApiKeyRequest.builder().name(name).role(Role.RELAY).build()).secret());
      relay(name).awaitLine("registered with");
    }
    chain =
        client.open(
            ChainRequest.builder()
                .destination("127.0.0.1:" + destination.getLocalPort())
                .via(RELAYS)
                .build(),
            null);
    stream = dial();
    server = destination.accept();
    talk();
  }

  @AfterEach
  void stop() throws IOException {
    for (int i = processes.size() - 1; i >= 0; i--) {
      processes.get(i).close();
    }
    stream.close();
    server.close();
    destination.close();
  }

  @Test
  void streamsThroughARelayWhoseNameIsRevokedGoOn() throws Exception {
    for (String name : RELAYS) {
      Verb revoked = verb("revoke", name, "--orchestrator", address.toString(), "--token", admin);
      assertThat(revoked.await()).as(revoked.text()).isZero();
      assertThat(revoked.text()).contains("1 API keys").contains("the relay is drained");
      talk();
    }

    OrchestratorClient asRelay = new OrchestratorClient(address, keys.get("r1"));
    assertThatThrownBy(asRelay::whoAmI)
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isIn(401, 429));
    // Their heartbeats are refused until the orchestrator takes them for lost.
    await()
        .atMost(PATIENCE)
        .until(() -> RELAYS.stream().allMatch(name -> status(name) == RelayStatus.LOST));
    talk();
  }

  @Test
  void streamsGoOnWhileTheOrchestratorsKeyChanges() throws Exception {
    for (int i = 0; i < 2; i++) {
      String before = client.certificate().pins();
      String after = client.rotateCertificate().pins();
      assertThat(after).isNotEqualTo(before);
      Instant rotated = Instant.now();
      await()
          .atMost(PATIENCE)
          .until(() ->
              client.relays().relays().stream()
                  .allMatch(relay -> relay.lastSeenAt().isAfter(rotated)));
      talk();
    }

    assertThat(RELAYS).allSatisfy(name -> assertThat(status(name)).isEqualTo(RelayStatus.UP));
    assertThat(client.chain(chain.id()).state()).isEqualTo(ChainState.READY);
    try (Socket later = dial();
        Socket _ = destination.accept()) {
      assertThat(later.isConnected()).isTrue();
    }
    // The control connections carry calls: a chain more is opened over them.
    assertThat(
            client
                .open(
                    ChainRequest.builder()
                        .destination("127.0.0.1:" + destination.getLocalPort())
                        .via(RELAYS)
                        .build(),
                    null)
                .state())
        .isEqualTo(ChainState.READY);
    talk();
  }

  private RelayStatus status(String relay) {
    return client.relay(relay).status();
  }

  private Socket dial() throws IOException {
    var ingress = Objects.requireNonNull(chain.ingress());
    Socket socket = new Socket(ingress.host(), ingress.port());
    socket.setSoTimeout((int) PATIENCE.toMillis());
    return socket;
  }

  /** A byte each way. */
  private void talk() throws IOException {
    stream.getOutputStream().write(7);
    server.setSoTimeout((int) PATIENCE.toMillis());
    assertThat(server.getInputStream().read()).isEqualTo(7);
    server.getOutputStream().write(8);
    assertThat(stream.getInputStream().read()).isEqualTo(8);
  }

  private Verb relay(String name) {
    return verb(
        "relay",
        "--name",
        name,
        "--site",
        "desk",
        "--orchestrator",
        address.toString(),
        "--token",
        Objects.requireNonNull(keys.get(name)),
        "--hop-port",
        "0",
        "--control-port",
        "0",
        "--drain",
        "0");
  }

  private Verb verb(String... arguments) {
    Verb started = Verb.start(folder, arguments);
    processes.add(started);
    return started;
  }
}
