package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.OrchestratorHealth;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.orchestrator.tls.ClusterPins;
import io.cascade.orchestrator.tls.TlsSettings;
import io.cascade.testing.Postgres;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Two orchestrators over one database, each with a key of its own that callers pin. */
@NullUnmarked
@Timeout(240)
@Tag("slow")
class PinnedLeadersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final TlsSettings ON = new TlsSettings(TlsSettings.Mode.ON, null, null, null);

  @TempDir private Path state;
  private Postgres postgres;
  private PostgresServer database;
  private Orchestrator first;
  private Orchestrator second;
  private URI firstAt;
  private URI secondAt;

  @BeforeEach
  void start() {
    postgres = Postgres.startOrSkip();
    database = new PostgresServer(postgres.newDatabase(), Postgres.USER, null);
    first = start("1", database);
    second = start("2", database);
    firstAt = first.address();
    secondAt = second.address();
  }

  private Orchestrator start(String folder, PostgresServer database) {
    return Orchestrator.start(
        RigSettings.local(state.resolve(folder))
            .withDatabase(database)
            .withTls(ON)
            .withHeartbeat(Rig.HEARTBEAT)
            .settings());
  }

  @AfterEach
  void stop() {
    if (second != null) {
      second.close();
    }
    if (first != null) {
      first.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void aClientAndARelayThatPinBothKeysFollowTheLeader() {
    OrchestratorClient client = new OrchestratorClient(List.of(secondAt, firstAt), null);
    try (FakeRelay relay =
        FakeRelay.named("r1", new OrchestratorClient(List.of(firstAt, secondAt), null), null)
            .live()) {
      assertThat(client.open(Rig.via("r1"), null).state()).isEqualTo(ChainState.READY);
      assertThat(client.address()).isEqualTo(ServerAddress.of(firstAt).base());

      first.close();

      await().atMost(PATIENCE).until(second::leads);
      await()
          .atMost(PATIENCE)
          .ignoreExceptionsInstanceOf(ProblemException.class)
          .ignoreExceptionsInstanceOf(UnreachableException.class)
          .until(() -> client.relay(relay.name()).status() == RelayStatus.UP);
      assertThat(client.address()).isEqualTo(ServerAddress.of(secondAt).base());
      assertThat(second.address()).isEqualTo(secondAt);
      assertThat(client.open(Rig.via("r1"), null).state()).isEqualTo(ChainState.READY);
    }
  }

  @Test
  void aStandbyNamesTheLeaderWithItsPinsAsTheyAreNow() {
    OrchestratorClient standby = new OrchestratorClient(secondAt, null);
    assertThat(leader(standby)).isEqualTo(firstAt.toString());
    assertThatThrownBy(standby::relays)
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining(firstAt.toString());

    String next =
        Objects.requireNonNull(new OrchestratorClient(firstAt, null).rotateCertificate().pins());

    await().atMost(PATIENCE).until(() -> leader(standby).endsWith("#" + next));
    assertThat(first.address().getRawFragment()).isEqualTo(next);
    OrchestratorClient told = new OrchestratorClient(URI.create(leader(standby)), null);
    assertThat(told.relays().relays()).isEmpty();
  }

  @Test
  void theKeyOfALeaderThatStoodByBeforeChangesLikeAnyOther() {
    OrchestratorClient client = new OrchestratorClient(List.of(firstAt, secondAt), null);
    first.close();
    await().atMost(PATIENCE).until(second::leads);
    await()
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(UnreachableException.class)
        .until(() -> client.relays().relays().isEmpty());

    for (int i = 0; i < 3; i++) {
      String pins = client.rotateCertificate().pins();
      assertThat(second.address().getRawFragment()).isEqualTo(pins);
      // Whoever knows only the pins of now makes a connection of now.
      assertThat(new OrchestratorClient(second.address(), null).relays().relays()).isEmpty();
    }
    assertThat(client.relays().relays()).isEmpty();
  }

  @Test
  void standbysShowTheirNextKeysTooAndTheLeadersAnswersTellOfThem() {
    OrchestratorClient client = new OrchestratorClient(List.of(firstAt, secondAt), null);
    for (int i = 0; i < 3; i++) {
      String before = second.address().getRawFragment();
      await().atMost(PATIENCE).until(() -> pinsOfAll().contains(before));
      assertThat(client.relays().relays()).isEmpty();

      client.rotateCertificate();

      String next = before.split(",", -1)[1];
      await().atMost(PATIENCE).until(() -> second.address().getRawFragment().startsWith(next));
    }
    assertThat(first.address().getRawFragment()).doesNotContain(firstAt.getRawFragment());
    await().atMost(PATIENCE).until(() -> pinsOfAll().contains(second.address().getRawFragment()));
    assertThat(client.relays().relays()).isEmpty();
    assertThat(client.others()).containsExactly(second.address());

    first.close();

    await().atMost(PATIENCE).until(second::leads);
    assertThat(client.relays().relays()).isEmpty();
  }

  @Test
  void aStandbyThatWasAwayShowsItsNextKeyOnceHoweverManyOrdersItMissed() {
    OrchestratorClient client = new OrchestratorClient(firstAt, null);
    String before = second.address().getRawFragment();
    second.close();
    client.rotateCertificate();
    client.rotateCertificate();

    second = start("2", database);

    String next = before.split(",", -1)[1];
    await().atMost(PATIENCE).until(() -> second.address().getRawFragment().startsWith(next));
    URI known = URI.create(ServerAddress.of(second.address()).base() + "#" + before);
    await()
        .atMost(PATIENCE)
        .until(
            () -> leader(new OrchestratorClient(known, null)).equals(first.address().toString()));
  }

  /** What the leader tells callers. */
  private String pinsOfAll() {
    return first.bean(ClusterPins.class).pinsOfAll();
  }

  @Test
  void orchestratorsThatAreGoneDoNotTakeThePlaceOfThoseThatRun() {
    first
        .bean(JdbcClient.class)
        .sql("update server_pins set seen_at = current_timestamp - interval '20' hour")
        .update();
    for (int i = 0; i < 80; i++) {
      keepOfOneThatIsGone(i, "1' hour");
    }
    keepOfOneThatIsGone(80, "2' day");

    await()
        .atMost(PATIENCE)
        .until(() ->
            pinsOfAll().contains(gone(79))
                && pinsOfAll().contains(first.address().getRawFragment())
                && pinsOfAll().contains(second.address().getRawFragment()));
    assertThat(pinsOfAll()).doesNotContain(gone(80));
  }

  private static String gone(int number) {
    return "sha256-" + "%043d".formatted(number);
  }

  private void keepOfOneThatIsGone(int number, String ago) {
    first
        .bean(JdbcClient.class)
        .sql(
            "insert into server_pins (pins, rotation, seen_at)"
                + " values (:pins, 0, current_timestamp - interval '"
                + ago
                + ")")
        .param("pins", gone(number))
        .update();
  }

  @Test
  void whereTheLeaderMayBeWhoIsNotTrustedThatIsSaid() {
    String stranger = "sha256-" + "A".repeat(43);
    URI mistaken = URI.create(ServerAddress.of(secondAt).base() + "#" + stranger);
    OrchestratorClient client = new OrchestratorClient(List.of(firstAt, mistaken), null);
    assertThat(client.relays().relays()).isEmpty();

    first.close();

    await().atMost(PATIENCE).until(second::leads);
    assertThatThrownBy(client::relays)
        .isInstanceOfSatisfying(
            UnreachableException.class, e -> assertThat(e.isAboutTrust()).isTrue())
        .hasMessageContaining(stranger);
  }

  private static String leader(OrchestratorClient standby) {
    OrchestratorHealth health = standby.health();
    assertThat(health.role()).isEqualTo(OrchestratorRole.STANDBY);
    return String.valueOf(health.leader());
  }
}
