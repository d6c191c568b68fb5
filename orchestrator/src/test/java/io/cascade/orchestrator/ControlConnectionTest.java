package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.api.client.ProblemException;
import io.cascade.api.control.ControlMessage;
import io.cascade.api.control.ControlMessages;
import io.cascade.api.identity.ControlProof;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.orchestrator.Role;
import io.cascade.api.relay.Limits;
import io.cascade.orchestrator.tls.TlsSettings;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relays that nobody can connect to are called over the connections that they keep. */
class ControlConnectionTest extends RigTest {
  private static final String LIMITS =
      Json.lenient().writeValueAsString(Limits.builder().maxStreams(7).build());

  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    http.shutdownNow();
  }

  @Test
  void aRelayWithoutAControlPortIsCalledOverItsConnection() {
    FakeRelay r1 = rig.relay("r1").withoutControlPort().register();
    connect(r1, "200 application/json", LIMITS);

    assertThat(rig.client().limits("r1").maxStreams()).isEqualTo(7);
    assertThat(rig.client().relay("r1").control()).isNull();
  }

  @Test
  void aProblemOfTheRelayIsOneOfTheCall() {
    FakeRelay r1 = rig.relay("r1").withoutControlPort().register();
    connect(r1, "422 application/problem+json", "{\"title\":\"no\",\"detail\":\"not this one\"}");

    assertThatThrownBy(() -> rig.client().limits("r1"))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("not this one");
  }

  @Test
  void aLaterConnectionTakesThePlaceOfTheEarlierOne() {
    FakeRelay r1 = rig.relay("r1").withoutControlPort().register();
    Connected first = connect(r1, "500", "");
    connect(r1, "200 application/json", LIMITS);

    assertThat(first.closed.join()).startsWith("1000");
    assertThat(rig.client().limits("r1").maxStreams()).isEqualTo(7);
  }

  @Test
  void nobodyElseOpensOneInTheNameOfTheRelay() {
    FakeRelay r1 = rig.relay("r1").withoutControlPort().register();
    ControlProof used = r1.signer().sign("r1", r1.instance());
    RelaySigner other = new RelaySigner(RelayKey.generate(), 1, 100);
    UUID instance = new UUID(r1.instance().getMostSignificantBits(), 1);

    open(used, "500", "").pinged.join();
    assertThat(open(used, "500", "").closed.join())
        .startsWith("1008")
        .contains("expected: a number above");
    assertThat(open(other.sign("r1", r1.instance()), "500", "").closed.join())
        .startsWith("1008")
        .contains("not signed by its key");
    assertThat(open(new ControlProof(instance, 200, used.signature()), "500", "").closed.join())
        .startsWith("1008")
        .contains("another instance is registered");
  }

  @Test
  void theTokenIsAskedForBeforeAnythingElse(@TempDir Path state) {
    try (Rig closed = Rig.start(state, settings -> settings.withToken("a-secret"))) {
      FakeRelay r1 = closed.relay("r1").withoutControlPort().register();
      URI at = at(closed, "ws", r1.signer().sign("r1", r1.instance()));

      assertThatThrownBy(
              () -> http.newWebSocketBuilder().buildAsync(at, new Connected("500", "")).join())
          .cause()
          .isInstanceOfSatisfying(
              WebSocketHandshakeException.class,
              refused -> assertThat(refused.getResponse().statusCode()).isEqualTo(401));
    }
  }

  @Test
  void onlyAKeyThatSpeaksForTheRelayOpensOne(@TempDir Path state) {
    try (Rig closed = Rig.start(state, settings -> settings.withToken("a-secret"))) {
      FakeRelay r1 = closed.relay("r1").withoutControlPort().register();

      assertThat(withKey(closed, r1, "r2", Role.RELAY).closed.join())
          .startsWith("1008")
          .contains("this key belongs to r2");
      assertThat(withKey(closed, r1, "alice", Role.VIEWER).closed.join())
          .startsWith("1008")
          .contains("may not");
      withKey(closed, r1, "r1", Role.RELAY).pinged.join();
    }
  }

  private Connected withKey(Rig at, FakeRelay relay, String name, Role role) {
    String key =
        at.client().createKey(ApiKeyRequest.builder().name(name).role(role).build()).secret();
    Connected connected = new Connected("500", "");
    connected.socket =
        http.newWebSocketBuilder()
            .header("Authorization", "Bearer " + key)
            .buildAsync(at(at, "ws", relay.signer().sign("r1", relay.instance())), connected)
            .join();
    return connected;
  }

  @Test
  void aRequestThatAsksForNoWebSocketIsTold() throws Exception {
    FakeRelay r1 = rig.relay("r1").register();

    HttpResponse<String> response =
        http.send(
            HttpRequest.newBuilder(at(rig, "http", r1.signer().sign("r1", r1.instance()))).build(),
            HttpResponse.BodyHandlers.ofString());

    assertThat(response.statusCode()).isEqualTo(426);
    assertThat(response.body()).contains("urn:cascade:problem:upgrade-required");
  }

  @Test
  void aRelayWhoseConnectionEndedAndThatIsNotHeardIsLost() {
    FakeRelay r1 = rig.relay("r1").withoutControlPort().register();
    Connected connected = connect(r1, "500", "");
    r1.beat();

    connected.socket.abort();

    await().until(() -> rig.client().relay("r1").status() == RelayStatus.LOST);
  }

  /** Or whoever is on the way would end the connection, and read the next calls with their key. */
  @Test
  void aRelayOfAnotherMachineIsCalledOverItsConnectionAlone(@TempDir Path state) {
    TlsSettings elsewhere =
        new TlsSettings(TlsSettings.Mode.OFF, null, null, "control.example.net");
    try (Rig reached = Rig.start(state, settings -> settings.withTls(elsewhere))) {
      FakeRelay r1 = reached.relay("r1").register();
      ControlProof proof = r1.signer().sign("r1", r1.instance());
      Connected connected = open(reached, proof, "200 application/json", LIMITS);
      connected.pinged.join();
      assertThat(reached.client().limits("r1").maxStreams()).isEqualTo(7);

      connected.socket.abort();

      await()
          .untilAsserted(() ->
              assertThatThrownBy(() -> reached.client().limits("r1"))
                  .hasMessageContaining("it keeps no control connection"));
      assertThat(r1.calls).isEmpty();
    }
  }

  private Connected connect(FakeRelay relay, String line, String body) {
    Connected connected = open(relay.signer().sign(relay.name(), relay.instance()), line, body);
    connected.pinged.join(); // The orchestrator does so as soon as it has taken it.
    return connected;
  }

  private Connected open(ControlProof proof, String line, String body) {
    return open(rig, proof, line, body);
  }

  private Connected open(Rig at, ControlProof proof, String line, String body) {
    Connected connected = new Connected(line, body);
    connected.socket = http.newWebSocketBuilder().buildAsync(at(at, "ws", proof), connected).join();
    return connected;
  }

  private static URI at(Rig rig, String scheme, ControlProof proof) {
    return URI.create(
        rig.address().toString().replaceFirst("^http", scheme)
            + "/api/v1/relays/r1/control?instance="
            + proof.instance()
            + "&sequence="
            + proof.sequence()
            + "&signature="
            + URLEncoder.encode(proof.signature(), StandardCharsets.UTF_8));
  }

  /** A relay's end, which answers every request alike. */
  private static final class Connected implements WebSocket.Listener {
    private final Function<Long, ControlMessage> answer;
    private final ControlMessages requests = new ControlMessages(8, 1 << 20);
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private final CompletableFuture<Void> pinged = new CompletableFuture<>();

    @SuppressWarnings("NullAway.Init")
    private WebSocket socket;

    Connected(String line, String body) {
      this.answer = number -> new ControlMessage(number, line, body);
    }

    @Override
    public @Nullable CompletionStage<?> onBinary(WebSocket to, ByteBuffer frame, boolean isLast) {
      ControlMessage request = requests.add(frame);
      to.request(1);
      return request == null
          ? null
          : to.sendBinary(answer.apply(request.number()).frames().getFirst(), true);
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer data) {
      pinged.complete(null);
      from.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      closed.complete(code + " " + reason);
      return null;
    }
  }
}
