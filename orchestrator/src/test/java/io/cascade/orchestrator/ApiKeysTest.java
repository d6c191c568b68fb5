package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.identity.KeySecret;
import io.cascade.api.orchestrator.ApiKey;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.events.EventLog;
import io.cascade.orchestrator.time.ManualTime;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@NullUnmarked
class ApiKeysTest {
  private static final String TOKEN = "a-secret-of-some-length";

  private final ManualTime time = ManualTime.from(Instant.parse("2026-01-01T00:00:00Z"));
  private Rig rig;

  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state, one -> one.withToken(TOKEN).withClocks(time.clock(), time.nanos()));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private NewApiKey made(String name, Role role, @Nullable Instant expires) {
    return rig.client().createKey(new ApiKeyRequest(name, role, expires));
  }

  private OrchestratorClient as(NewApiKey key) {
    return new OrchestratorClient(rig.address(), key.secret());
  }

  private static void assertStatus(int status, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(status));
  }

  @Test
  void saysWhoCallsAndWhatTheRoleMayDo() {
    assertThat(rig.client().whoAmI().role()).isEqualTo(Role.ADMIN);
    assertThat(rig.client().whoAmI().name()).isEqualTo("token");

    var alice = as(made("alice", Role.CLIENT, null)).whoAmI();

    assertThat(alice.name()).isEqualTo("alice");
    assertThat(alice.role()).isEqualTo(Role.CLIENT);
    assertThat(alice.scopes()).contains("chains:write").doesNotContain("keys", "network:write");
  }

  @Test
  void areListedWithTheirUseAndNeverShownAgain() {
    NewApiKey made = made("alice", Role.CLIENT, null);
    assertThat(made.secret()).matches("csk_[A-Za-z0-9_-]{43}");
    assertThat(rig.client().keys().keys().getFirst().lastUsedAt()).isNull();

    as(made).whoAmI();

    ApiKey listed = rig.client().keys().keys().getFirst();
    assertThat(listed.id()).isEqualTo(made.key().id());
    assertThat(listed.createdBy()).isEqualTo("token");
    assertThat(listed.lastUsedAt()).isEqualTo(time.clock().instant());
    assertThat(rig.call("GET", "/api/v1/keys", null).body()).doesNotContain(made.secret());
  }

  @Test
  void outliveARestartAndAreNotInTheStateAsText(@TempDir Path elsewhere) throws IOException {
    NewApiKey made = made("alice", Role.VIEWER, null);
    as(made).whoAmI();

    rig.stop();
    rig.startAgain();

    assertThat(as(made).whoAmI().name()).isEqualTo("alice");
    assertThat(rig.client().keys().keys().getFirst().lastUsedAt()).isNotNull();
    rig.stop();
    byte[] secret = made.secret().getBytes(StandardCharsets.US_ASCII);
    try (Stream<Path> files = Files.walk(rig.state())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(bytes.contains(new String(secret, StandardCharsets.ISO_8859_1)))
            .as(file.toString())
            .isFalse();
      }
    }
  }

  @Test
  void endWhenTheyAreRevokedOrTheirTimeIsOver() {
    NewApiKey revoked = made("alice", Role.VIEWER, null);
    NewApiKey brief = made("bob", Role.VIEWER, time.clock().instant().plus(1, ChronoUnit.HOURS));

    rig.client().revokeKey(revoked.key().id());
    assertStatus(401, () -> as(revoked).whoAmI());
    assertStatus(404, () -> rig.client().revokeKey(revoked.key().id()));

    assertThat(as(brief).whoAmI().expiresAt()).isEqualTo(brief.key().expiresAt());
    time.pass(Duration.ofHours(1));
    assertStatus(401, () -> as(brief).whoAmI());
    assertStatus(400, () -> made("late", Role.VIEWER, time.clock().instant()));
  }

  @Test
  void aSubscriberIsCutWhereItsKeyIsRevokedOrItsTimeIsOver() {
    NewApiKey revoked = made("alice", Role.VIEWER, null);
    NewApiKey brief = made("bob", Role.VIEWER, time.clock().instant().plusSeconds(5));
    NewApiKey kept = made("carol", Role.VIEWER, null);
    List<CompletableFuture<Void>> following =
        Stream.of(revoked, brief, kept)
            .map(key ->
                CompletableFuture.runAsync(
                    () -> as(key).follow(null, _ -> true), task -> Thread.ofVirtual().start(task)))
            .toList();
    await().until(() -> rig.orchestrator().bean(EventLog.class).subscribers() == 3);

    rig.client().revokeKey(revoked.key().id());
    time.pass(Duration.ofSeconds(11));

    await().until(() -> following.get(0).isDone() && following.get(1).isDone());
    assertThat(following.get(2)).isNotDone();
  }

  @Test
  void areForgottenTwoDaysAfterTheyEnded() {
    Instant end = time.clock().instant().plus(1, ChronoUnit.HOURS);
    NewApiKey brief = made("bob", Role.VIEWER, end);

    time.pass(Duration.ofDays(2));
    made("carol", Role.VIEWER, null);
    assertThat(rig.client().keys().keys()).extracting(ApiKey::name).contains("bob");
    time.pass(Duration.ofHours(2));
    made("dave", Role.VIEWER, null);

    assertThat(rig.client().keys().keys())
        .extracting(ApiKey::name)
        .containsExactlyInAnyOrder("carol", "dave");
    rig.stop();
    rig.startAgain();
    assertThat(rig.client().keys().keys()).hasSize(2);
    assertStatus(401, () -> as(brief).whoAmI());
  }

  @Test
  void nobodyMakesOrRevokesAKeyThatMayDoMore() {
    NewApiKey admin = made("root", Role.ADMIN, null);
    OrchestratorClient operator = as(made("olga", Role.OPERATOR, null));

    for (Role above : new Role[] {Role.ADMIN, Role.RELAY}) {
      assertStatus(
          403, () -> operator.createKey(ApiKeyRequest.builder().name("x").role(above).build()));
    }
    assertStatus(403, () -> operator.revokeKey(admin.key().id()));
    assertThat(as(admin).whoAmI().role()).isEqualTo(Role.ADMIN);
    for (Role same : new Role[] {Role.OPERATOR, Role.CLIENT, Role.VIEWER}) {
      assertThat(
              operator
                  .createKey(ApiKeyRequest.builder().name("x").role(same).build())
                  .key()
                  .createdBy())
          .isEqualTo("olga");
    }
  }

  @Test
  void noKeyOutlivesTheOneThatMadeIt() {
    Instant end = time.clock().instant().plus(1, ChronoUnit.HOURS);
    OrchestratorClient brief = as(made("olga", Role.OPERATOR, end));

    assertStatus(
        403, () -> brief.createKey(ApiKeyRequest.builder().name("x").role(Role.VIEWER).build()));
    assertStatus(
        403, () -> brief.createKey(new ApiKeyRequest("x", Role.VIEWER, end.plusSeconds(1))));
    brief.createKey(new ApiKeyRequest("x", Role.VIEWER, end));
  }

  @Test
  void aRelayWithItsOwnKeySpeaksForItselfAndIsAskedByWhatIsDerivedFromIt() {
    NewApiKey key = made("r1", Role.RELAY, null);
    assertThat(key.controlToken()).isEqualTo(new KeySecret(key.secret()).controlToken());
    assertThat(key.controlToken()).isNotEqualTo(new KeySecret(key.secret()).digest());

    try (FakeRelay own = FakeRelay.named("r1", as(key), key.controlToken());
        FakeRelay other = FakeRelay.named("r2", as(key), key.controlToken())) {
      own.live();
      assertStatus(403, other::register);

      assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
      rig.stop();
      rig.startAgain();
      assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
    }
  }

  @Test
  void aRelayThatGoesBackToTheTokenIsAskedWithTheToken() {
    NewApiKey key = made("r1", Role.RELAY, null);
    try (FakeRelay before = FakeRelay.named("r1", as(key), key.controlToken())) {
      before.live();
    }

    rig.client().forget("r1");
    rig.live("r1");

    assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
  }

  @Test
  void noHeaderSaysWhoCallsButTheKey() {
    NewApiKey viewer = made("alice", Role.VIEWER, null);
    String[] headers = {
      "Authorization", "Bearer " + viewer.secret(),
      "X-Forwarded-User", "token",
      "X-Remote-User", "token",
      "X-Forwarded-For", "127.0.0.1",
      "X-Role", "ADMIN",
      "Forwarded", "for=127.0.0.1"
    };

    Rig.Response me = rig.call("GET", "/api/v1/me", null, headers);

    assertThat(me.body()).contains("\"alice\"").contains("\"VIEWER\"");
    assertThat(rig.call("DELETE", "/api/v1/corrections", null, headers).status()).isEqualTo(403);
  }

  @Test
  void noBodyIsReadOfWhoMayNotCall() throws IOException {
    NewApiKey viewer = made("alice", Role.VIEWER, null);
    for (String[] each :
        new String[][] {{"csk_" + "x".repeat(43), "401"}, {viewer.secret(), "403"}}) {
      try (Socket socket = new Socket("127.0.0.1", rig.address().getPort())) {
        // The body never comes: whoever waited for it would not answer.
        socket
            .getOutputStream()
            .write(
                """
                POST /api/v1/chains HTTP/1.1\r
                Host: localhost\r
                Authorization: Bearer %s\r
                Content-Type: application/json\r
                Content-Length: 4000000\r
                \r
                """
                    .formatted(each[0])
                    .getBytes(StandardCharsets.US_ASCII));
        String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        assertThat(line).isEqualTo("HTTP/1.1 " + each[1]);
      }
    }
  }

  @Test
  void failedSignInsOfAnAddressAreBounded() {
    NewApiKey viewer = made("alice", Role.VIEWER, null);
    String me = "/api/v1/me";
    for (int i = 0; i < 20; i++) {
      String wrong = i % 2 == 0 ? "Bearer wrong" : "Bearer csk_wrong";
      assertThat(rig.call("GET", me, null, "Authorization", wrong).status()).isEqualTo(401);
    }

    Rig.Response refused = rig.call("GET", me, null, "Authorization", "Bearer wrong");
    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.problem().type()).isEqualTo("urn:cascade:problem:too-many-sign-ins");
    assertThat(refused.response().headers().firstValue("Retry-After")).hasValue("3");
    // The token is not compared any more, keys are looked up, and nobody else is kept out.
    assertThat(rig.call("GET", me, null).status()).isEqualTo(429);
    assertThat(as(viewer).whoAmI().name()).isEqualTo("alice");
    assertThat(
            rig.callFrom("127.0.0.2", "GET", me, null, "Authorization", "Bearer " + TOKEN).status())
        .isEqualTo(200);

    time.pass(Duration.ofSeconds(3));
    assertThat(rig.call("GET", me, null).status()).isEqualTo(200);
  }

  @Test
  void aCallerWithAKeyPlansSoOftenAMinuteAndOthersAsBefore() {
    NewApiKey alice = made("alice", Role.CLIENT, null);
    String[] hers = {"Authorization", "Bearer " + alice.secret()};
    for (int i = 0; i < 60; i++) {
      assertThat(rig.call("POST", "/api/v1/plans", "{}", hers).status()).isEqualTo(400);
    }

    Rig.Response refused = rig.call("POST", "/api/v1/plans", "{}", hers);

    assertThat(refused.status()).isEqualTo(429);
    assertThat(refused.problem().type()).isEqualTo("urn:cascade:problem:too-many-calls");
    assertThat(refused.response().headers().firstValue("Retry-After")).hasValue("1");
    assertThat(rig.call("POST", "/api/v1/plans", "{}").status()).isEqualTo(400);
    time.pass(Duration.ofSeconds(1));
    assertThat(rig.call("POST", "/api/v1/plans", "{}", hers).status()).isEqualTo(400);
  }

  @Test
  void aRelayRegistersAndAClientHasTestsSoOftenAMinute() {
    String relay = made("sea", Role.RELAY, null).secret();
    String client = made("alice", Role.CLIENT, null).secret();

    assertThat(callsUntilRefused("/api/v1/relays", relay)).isEqualTo(120);
    assertThat(callsUntilRefused("/api/v1/relays/sea/client-tests", client)).isEqualTo(120);
  }

  /** None of the calls can be met. */
  private int callsUntilRefused(String path, String key) {
    for (int calls = 0; calls < 200; calls++) {
      Rig.Response answer = rig.call("POST", path, "{}", "Authorization", "Bearer " + key);
      if (answer.status() == 429) {
        assertThat(answer.problem().type()).isEqualTo("urn:cascade:problem:too-many-calls");
        return calls;
      }
    }
    return Integer.MAX_VALUE;
  }

  @Test
  void whatIsUnknownIsNotFound() {
    assertStatus(404, () -> rig.client().revokeKey(UUID.randomUUID()));
  }
}
