package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.AuditEntry;
import io.cascade.api.orchestrator.AuditPage;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

@NullUnmarked
class AuditTest {
  private final ManualTime time = ManualTime.from(Instant.parse("2026-01-01T00:00:00Z"));
  private Rig rig;

  @BeforeEach
  void start(@TempDir Path state) {
    rig =
        Rig.start(
            state,
            settings ->
                settings
                    .withToken("a-secret-of-some-length")
                    .withClocks(time.clock(), time.nanos()));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private OrchestratorClient as(String name, Role role) {
    return new OrchestratorClient(
        rig.address(),
        rig.client().createKey(ApiKeyRequest.builder().name(name).role(role).build()).secret());
  }

  private AuditEntry newest() {
    return rig.client().audit(null, 1).entries().getFirst();
  }

  /** The newest entry, once it is that of an operation that was answered. */
  private AuditEntry told(String operation) {
    await()
        .untilAsserted(() -> {
          assertThat(newest().operation()).isEqualTo(operation);
          assertThat(newest().outcome()).isNotNull();
        });
    return newest();
  }

  @Test
  void whereOldEntriesCannotBeRemovedWhatWasStoredHasNotFailed() {
    as("first", Role.VIEWER);
    db().sql("create table held (id bigint references audit_entry (id))").update();
    db().sql("insert into held select min(id) from audit_entry").update();
    time.pass(Duration.ofDays(91));

    for (int i = 0; i < 100; i++) {
      assertThat(as("later", Role.VIEWER).whoAmI().name()).isEqualTo("later");
    }
  }

  private JdbcClient db() {
    return rig.orchestrator().bean(JdbcClient.class);
  }

  @Test
  void tellsWhoDidWhatToWhatFromWhereAndWhatCameOfIt() {
    rig.live("r1");
    OrchestratorClient alice = as("alice", Role.CLIENT);

    Chain chain = alice.open(Rig.via("r1"), null);
    AuditEntry opened = told("openChain");
    alice.close(chain.id(), true);
    AuditEntry closed = told("closeChain");

    assertThat(opened.operation()).isEqualTo("openChain");
    assertThat(opened.caller()).isEqualTo("client/alice");
    assertThat(opened.role()).isEqualTo(Role.CLIENT);
    assertThat(opened.target()).isEqualTo(chain.id().toString());
    assertThat(opened.outcome()).isEqualTo(201);
    assertThat(opened.address()).isEqualTo("127.0.0.1");
    assertThat(opened.at()).isEqualTo(time.clock().instant());
    assertThat(closed.operation()).isEqualTo("closeChain");
    assertThat(closed.target()).isEqualTo(chain.id().toString());
    assertThat(closed.outcome()).isEqualTo(200);
  }

  @Test
  void anAnswerNamesTheRequestAsTheTrailDoes() {
    Rig.Response answer = rig.call("DELETE", "/api/v1/corrections", null);

    assertThat(answer.response().headers().firstValue("X-Request-Id"))
        .hasValue(newest().requestId().toString());
  }

  @Test
  void refusalsAreToldToo() {
    OrchestratorClient viewer = as("victor", Role.VIEWER);
    assertThatThrownBy(viewer::resetCorrections).isInstanceOf(ProblemException.class);

    assertThat(told("resetCorrections").caller()).isEqualTo("viewer/victor");
    assertThat(newest().outcome()).isEqualTo(403);
    assertThatThrownBy(() -> rig.client().drain("nobody")).isInstanceOf(ProblemException.class);
    assertThat(told("drainRelay").target()).isEqualTo("nobody");
    assertThat(newest().outcome()).isEqualTo(404);
  }

  @Test
  void whoIsRefusedForEverFillsItNot() {
    OrchestratorClient client = as("alice", Role.CLIENT);
    for (int i = 0; i < 30; i++) {
      assertThat(catchThrowable(client::statistics)).isInstanceOf(ProblemException.class);
    }

    assertThat(operations()).filteredOn("statistics"::equals).hasSize(10);
  }

  @Test
  void whoFailsForEverFillsItNot() {
    OrchestratorClient client = as("alice", Role.CLIENT);
    for (int i = 0; i < 30; i++) {
      UUID nobodys = new UUID(0, i);
      assertThat(catchThrowable(() -> client.close(nobodys, true)))
          .isInstanceOf(ProblemException.class);
    }

    assertThat(operations()).filteredOn("closeChain"::equals).hasSize(10);
    time.pass(Duration.ofMinutes(1));
    assertThat(catchThrowable(() -> client.close(new UUID(1, 1), true)))
        .isInstanceOf(ProblemException.class);
    assertThat(told("closeChain").target()).isEqualTo(new UUID(1, 1).toString());
  }

  @Test
  void anAddressThatFailsToSignInForEverIsToldOnce() {
    for (int i = 0; i < 40; i++) {
      rig.call("GET", "/api/v1/me", null, "Authorization", "Bearer csk_wrong");
    }
    time.pass(Duration.ofMinutes(1));

    assertThat(operations()).filteredOn("signIn"::equals).hasSize(1);
    assertThat(newest().caller()).isEqualTo("-");
    assertThat(newest().outcome()).isEqualTo(429);
  }

  private List<String> operations() {
    return rig.client().audit(null, 1_000).entries().stream().map(AuditEntry::operation).toList();
  }

  @Test
  void looksReportsAndQuestionsAreNotInIt() {
    rig.live("r1");
    rig.client().relays();
    rig.client().audit(null, 10);
    assertThat(newest().target()).isEqualTo("r1");
    Chain chain = rig.openVia("r1");
    rig.client().renew(chain.id());

    assertThat(operations()).containsExactly("openChain", "registerRelay");
  }

  @Test
  void comesInPages() {
    for (int i = 0; i < 5; i++) {
      rig.client().resetCorrections();
    }

    AuditPage first = rig.client().audit(null, 3);
    AuditPage second = rig.client().audit(first.next(), 3);

    assertThat(first.entries()).extracting(AuditEntry::id).containsExactly(5L, 4L, 3L);
    assertThat(second.entries()).extracting(AuditEntry::id).containsExactly(2L, 1L);
    assertThat(second.next()).isNull();
  }

  @Test
  void thereIsNoChangeWithoutItsEntry() {
    db().sql("alter table audit_entry rename to elsewhere").update();
    assertThatThrownBy(() -> as("alice", Role.CLIENT)).isInstanceOf(ProblemException.class);
    db().sql("alter table elsewhere rename to audit_entry").update();

    assertThat(rig.client().keys().keys()).isEmpty();
    rig.stop();
    rig.startAgain();
    assertThat(rig.client().keys().keys()).isEmpty();
  }

  @Test
  void aChangeThatFailedIsToldAsThat() {
    db().sql("alter table api_key rename to elsewhere").update();
    assertThatThrownBy(() -> as("alice", Role.CLIENT)).isInstanceOf(ProblemException.class);

    assertThat(told("createKey").outcome()).isEqualTo(500);
    assertThat(operations()).containsExactly("createKey");
  }

  @Test
  void whatIsOldGoesWhileThereAreLaterEntries() {
    rig.client().resetCorrections();
    for (int i = 0; i < 4; i++) {
      time.pass(Duration.ofDays(25));
      rig.client().resetCorrections();
    }
    startAgain();

    assertThat(rig.client().audit(null, 10).entries())
        .extracting(AuditEntry::id)
        .containsExactly(5L, 4L, 3L, 2L);
  }

  @Test
  void aClockThatWasSetAheadRemovesNothing() {
    insert(1, 4, "token", Role.ADMIN);
    for (int start = 0; start < 3; start++) {
      time.step(Duration.ofDays(3_650));
      startAgain();
      insertMore(200);
    }
    time.pass(Duration.ofDays(20));
    startAgain();
    assertThat(count()).isEqualTo(604);

    time.step(Duration.ofDays(-3 * 3_650));
    startAgain();
    assertThat(count()).isEqualTo(604);
  }

  private void startAgain() {
    rig.stop();
    rig.startAgain();
  }

  private void insertMore(int count) {
    for (int i = 0; i < count; i++) {
      rig.client().resetCorrections();
    }
  }

  private long count() {
    return db().sql("select count(*) from audit_entry").query(Long.class).single();
  }

  private void insert(long first, long last, String caller, Role role) {
    db().sql(
            "insert into audit_entry (id, at, caller, role, operation, address, request_id)"
                + " select n, cast(:at as timestamp(6) with time zone), cast(:caller as varchar),"
                + " cast(:role as varchar), 'openChain', '-', random_uuid()"
                + " from system_range(cast(:first as bigint), cast(:last as bigint)) numbers(n)")
        .param("at", time.clock().instant().atOffset(java.time.ZoneOffset.UTC))
        .param("caller", caller)
        .param("role", role.name())
        .param("first", first)
        .param("last", last)
        .update();
  }

  @Test
  void whereThereAreTooManyThoseOfWhoeverHasTheMostGo() {
    insert(1, 1, "operator/otto", Role.OPERATOR);
    insert(2, 2, "client/alice", Role.CLIENT);
    insert(3, 100_300, "client/mallory", Role.CLIENT);
    insert(100_301, 100_301, "client/alice", Role.CLIENT);
    startAgain();

    assertThat(count()).isEqualTo(100_000);
    assertThat(db().sql("select id from audit_entry order by id limit 3").query(Long.class).list())
        .containsExactly(1L, 2L, 304L);
    rig.client().resetCorrections();
    assertThat(newest().id()).isEqualTo(100_302);
  }
}
