package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Role;
import io.cascade.command.AccessFile;
import io.cascade.orchestrator.events.EventLog;
import io.cascade.orchestrator.security.Strangers;
import io.cascade.orchestrator.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class SecurityTest {
  private static final String TOKEN = "a-secret-of-some-length";

  @Test
  void withoutTheTokenNobodyGetsAnything(@TempDir Path state) {
    try (Rig rig = Rig.start(state, settings -> settings.withToken(TOKEN))) {
      for (String header : List.of("", "Bearer wrong", "Basic " + TOKEN, TOKEN)) {
        for (String path :
            List.of(
                "/api/v1/relays",
                "/api/v1/events",
                "/api/v1/chains/" + UUID.randomUUID(),
                "/nothing")) {
          Rig.Response answer = rig.call("GET", path, null, "Authorization", header);
          assertThat(answer.status()).isEqualTo(401);
          assertThat(answer.type()).isEqualTo("application/problem+json");
          assertThat(answer.problem().type()).isEqualTo("urn:cascade:problem:unauthorized");
          assertThat(answer.response().headers().firstValue("WWW-Authenticate"))
              .hasValueSatisfying(value -> assertThat(value).startsWith("Bearer"));
          assertThat(answer.body()).doesNotContain(TOKEN);
        }
      }
    }
  }

  @Test
  void noAnswerIsCachedOrTakenForAnotherType(@TempDir Path state) {
    try (Rig rig = Rig.start(state, settings -> settings.withToken(TOKEN))) {
      for (String token : List.of("Bearer " + TOKEN, "Bearer wrong")) {
        for (String path : List.of("/api/v1/relays", "/api/v1/chains/x", "/api/v1/health")) {
          HttpHeaders headers =
              rig.call("GET", path, null, "Authorization", token).response().headers();
          assertThat(headers.allValues("X-Content-Type-Options")).containsExactly("nosniff");
          assertThat(headers.allValues("Cache-Control")).containsExactly("no-store");
        }
      }
    }
  }

  @Test
  void connectionsOfOneSourceThatNeverSignInLeaveRoomForThoseThatDo(@TempDir Path state)
      throws IOException {
    List<Socket> silent = new ArrayList<>();
    try (Rig rig = Rig.start(state, settings -> settings.withToken(TOKEN))) {
      String whole =
          "GET /api/v1/relays HTTP/1.1\r\nHost: o\r\nAuthorization: Bearer " + TOKEN + "\r\n\r\n";
      try (Socket known = connectFrom("127.0.0.2", rig)) {
        write(known, whole);
        assertThat(known.getInputStream().read()).isEqualTo('H');
        for (int i = 0; i < Strangers.MOST_OF_SOURCE; i++) {
          silent.add(connectFrom("127.0.0.2", rig)); // it says nothing, as long as it may
        }
        try (Socket tooMany = connectFrom("127.0.0.2", rig)) {
          write(tooMany, whole);
          assertThat(closed(tooMany)).isTrue();
        }
        assertThat(rig.call("GET", "/api/v1/relays", null).status()).isEqualTo(200);
        known.getInputStream().skipNBytes(known.getInputStream().available());
        write(known, whole);
        assertThat(known.getInputStream().read()).as("it has signed in").isNotNegative();

        silent.removeFirst().close();
        await()
            .until(() -> {
              try (Socket next = connectFrom("127.0.0.2", rig)) {
                write(next, whole);
                return !closed(next);
              }
            });
      }
    } finally {
      for (Socket one : silent) {
        one.close();
      }
    }
  }

  /** A connection that is kept lives for a minute without a request. */
  @Test
  void aKeyTakesNoMoreThanItsShareOfConnectionsAndSubscribers(@TempDir Path state)
      throws IOException {
    List<Socket> kept = new ArrayList<>();
    try (Rig rig = Rig.start(state, settings -> settings.withToken(TOKEN))) {
      String viewer = rig.client().createKey(new ApiKeyRequest("bob", Role.VIEWER, null)).secret();
      for (int i = 0; i < Strangers.MOST_OF_CALLER; i++) {
        Socket one = connectFrom("127.0.0.2", rig);
        kept.add(one);
        write(one, request("/api/v1/me", viewer));
        assertThat(one.getInputStream().read()).isEqualTo('H');
      }
      try (Socket tooMany = connectFrom("127.0.0.2", rig)) {
        write(tooMany, request("/api/v1/me", viewer));
        assertThat(new String(tooMany.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .startsWith("HTTP/1.1 429")
            .contains("Retry-After: 1", "urn:cascade:problem:too-many-connections");
      }
      assertThat(rig.call("GET", "/api/v1/relays", null).status()).isEqualTo(200);

      for (int i = 0; i < 64; i++) {
        write(kept.get(i), request("/api/v1/events", viewer));
      }
      await().until(() -> rig.orchestrator().bean(EventLog.class).subscribers() == 64);
      write(kept.get(64), request("/api/v1/events", viewer));
      kept.get(64).shutdownOutput();
      assertThat(new String(kept.get(64).getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .contains("HTTP/1.1 503", "urn:cascade:problem:too-many-subscribers");
    } finally {
      for (Socket one : kept) {
        one.close();
      }
    }
  }

  private static String request(String path, String key) {
    return "GET " + path + " HTTP/1.1\r\nHost: o\r\nAuthorization: Bearer " + key + "\r\n\r\n";
  }

  private static boolean closed(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return true; // a reset
    }
  }

  private static void write(Socket socket, String text) {
    try {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      // Closed, as reading tells.
    }
  }

  private static Socket connectFrom(String address, Rig rig) throws IOException {
    return new Socket("127.0.0.1", rig.address().getPort(), InetAddress.ofLiteral(address), 0);
  }

  @Test
  void withTheTokenAllWorksAndRelaysAreAskedWithItToo(@TempDir Path state) {
    try (Rig rig = Rig.start(state, settings -> settings.withToken(TOKEN))) {
      rig.live("r1");

      assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
      assertThat(rig.call("GET", "/openapi.yaml", null).status()).isEqualTo(200);
      assertThat(rig.call("GET", "/api/v1/health", null, "Authorization", "x").status())
          .isEqualTo(200);
      assertThat(rig.call("GET", "/openapi.yaml", null, "Authorization", "x").status())
          .isEqualTo(200);
    }
  }

  @Test
  void beyondLoopbackWithoutATokenTlsIsServedAndEverybodyNeedsAKey(@TempDir Path state)
      throws IOException {
    try (Orchestrator orchestrator = Orchestrator.start(everywhere(state, null).settings())) {
      URI address = orchestrator.address();
      assertThat(address.getScheme()).isEqualTo("https");
      assertThat(address.getHost()).isEqualTo("127.0.0.1");
      OrchestratorClient nobody = new OrchestratorClient(address, null);
      assertThatThrownBy(nobody::relays)
          .isInstanceOfSatisfying(
              ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(401));
      assertThatThrownBy(new OrchestratorClient(address, "anything")::relays)
          .isInstanceOfSatisfying(
              ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(401));

      Path file = AccessFile.ofOrchestrator(state);
      AccessFile own = AccessFile.read(file);
      assertThat(Files.getPosixFilePermissions(file))
          .isEqualTo(PosixFilePermissions.fromString("rw-------"));
      assertThat(own.orchestrator()).isEqualTo(address.toString());
      assertThat(new OrchestratorClient(address, own.token()).whoAmI().role())
          .isEqualTo(Role.ADMIN);
    }
  }

  @Test
  void theKeyOfItsOwnUserOutlivesARestart(@TempDir Path state) {
    String first;
    try (Orchestrator _ = Orchestrator.start(everywhere(state, null).settings())) {
      first = AccessFile.read(AccessFile.ofOrchestrator(state)).token();
    }
    try (Orchestrator again = Orchestrator.start(everywhere(state, null).settings())) {
      assertThat(AccessFile.read(AccessFile.ofOrchestrator(state)).token()).isEqualTo(first);
      assertThat(new OrchestratorClient(again.address(), first).keys().keys()).hasSize(1);
    }
  }

  @Test
  void withATokenNoFurtherKeyIsMade(@TempDir Path state) {
    try (Orchestrator orchestrator = Orchestrator.start(everywhere(state, TOKEN).settings())) {
      assertThat(AccessFile.read(AccessFile.ofOrchestrator(state)).token()).isNull();
      assertThat(new OrchestratorClient(orchestrator.address(), TOKEN).keys().keys()).isEmpty();
    }
  }

  @Test
  void plainHttpBeyondLoopbackTakesAFlag(@TempDir Path state) {
    TlsSettings off = new TlsSettings(TlsSettings.Mode.OFF, null, null, null);
    try (Orchestrator orchestrator =
        Orchestrator.start(everywhere(state, TOKEN).withTls(off).settings())) {
      assertThat(orchestrator.address().toString()).matches("http://127\\.0\\.0\\.1:\\d+");
    }
  }

  private static RigSettings everywhere(Path state, String token) {
    return RigSettings.local(state)
        .withHost("0.0.0.0")
        .withToken(token)
        .withHeartbeat(Rig.HEARTBEAT);
  }

  @Test
  void aPageThatLedTheBrowserHereUnderItsOwnNameGetsNothing(@TempDir Path state)
      throws IOException {
    try (Rig rig = Rig.start(state);
        Socket socket = new Socket("127.0.0.1", rig.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET /api/v1/relays HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 421").contains("urn:cascade:problem:foreign-host");
    }
  }

  @Test
  void aPageOfAnotherOriginGetsNothingWhereNobodyNeedsAKey(@TempDir Path state) throws IOException {
    try (Rig rig = Rig.start(state)) {
      String host = rig.address().getAuthority();
      String upgrade =
          "GET /api/v1/relays/r1/control?instance="
              + UUID.randomUUID()
              + "&sequence=1&signature=x HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
              + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
      String change = "DELETE /api/v1/corrections HTTP/1.1\r\nConnection: close\r\n";
      for (String request : List.of(upgrade, change)) {
        for (String origin :
            List.of("http://evil.example", "null", "https://" + host, "http://localhost:1")) {
          assertThat(answer(rig, request, host, origin))
              .startsWith("HTTP/1.1 403")
              .contains("urn:cascade:problem:foreign-origin");
        }
        assertThat(answer(rig, request, host, "http://" + host)).doesNotContain("foreign-origin");
      }
      assertThat(answer(rig, change, host, "http://" + host)).startsWith("HTTP/1.1 204");
      String name = "localhost:" + rig.address().getPort();
      assertThat(answer(rig, change, name, "http://" + name)).startsWith("HTTP/1.1 204");
      assertThat(answer(rig, change, name, "http://" + host)).startsWith("HTTP/1.1 403");
    }
  }

  private static String answer(Rig rig, String request, String host, String origin)
      throws IOException {
    try (Socket socket = new Socket("127.0.0.1", rig.address().getPort())) {
      write(socket, request + "Host: " + host + "\r\nOrigin: " + origin + "\r\n\r\n");
      socket.shutdownOutput();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void secretsAreInNoText(@TempDir Path state) {
    assertThat(RigSettings.local(state).withToken(TOKEN).settings().toString())
        .doesNotContain(TOKEN);
    assertThat(new io.cascade.orchestrator.security.Access(TOKEN, false).toString())
        .doesNotContain(TOKEN);
  }
}
