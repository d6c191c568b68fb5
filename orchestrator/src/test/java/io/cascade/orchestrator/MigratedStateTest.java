package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.store.Migrations;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.testing.Postgres;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What becomes of a database that chains were stored in as lists of relays. */
@NullUnmarked
@Tag("slow")
class MigratedStateTest {
  private static final UUID OPEN = new UUID(0, 1);
  private static final UUID ENDED = new UUID(0, 2);

  @TempDir private Path state;

  @Test
  void chainsOfAnH2FileGoOn() throws SQLException {
    goOn(file(), null);
  }

  @Test
  void chainsOfAPostgresqlDatabaseGoOn() throws SQLException {
    try (Postgres postgres = Postgres.startOrSkip()) {
      PostgresServer database = new PostgresServer(postgres.newDatabase(), Postgres.USER, null);

      goOn(source(database), database);
    }
  }

  @Test
  void whatALaterVersionHasAddedToAnH2FileIsPassedOver() {
    passesOver(file(), null);
  }

  @Test
  void whatALaterVersionHasAddedToAPostgresqlDatabaseIsPassedOver() {
    try (Postgres postgres = Postgres.startOrSkip()) {
      PostgresServer database = new PostgresServer(postgres.newDatabase(), Postgres.USER, null);

      passesOver(source(database), database);
    }
  }

  /** As where an update is taken back, or where the one that is still to be updated leads. */
  private void passesOver(DataSource source, PostgresServer database) {
    Migrations.run(source, "latest");
    JdbcClient later = JdbcClient.create(source);
    later.sql("alter table relay add column later integer").update();
    later.sql("create table later (id uuid primary key)").update();
    later
        .sql(
            """
            insert into flyway_schema_history (installed_rank, version, description, type, script,
              checksum, installed_by, execution_time, success)
            values (1000, '1000', 'later', 'SQL', 'V1000__later.sql', 1, 'cascade', 1, true)\
            """)
        .update();

    try (Rig rig = Rig.start(state, settings -> settings.withDatabase(database))) {
      FakeRelay _ = rig.live("r1");
      assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
    }
  }

  private DataSource file() {
    JdbcDataSource source = new JdbcDataSource();
    source.setURL(
        "jdbc:h2:file:"
            + state.resolve("orchestrator").resolve("state").toAbsolutePath()
            + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH");
    source.setUser("cascade");
    source.setPassword("");
    return source;
  }

  private static DataSource source(PostgresServer database) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl("jdbc:" + database.url().replaceFirst("^jdbc:", ""));
    source.setUser(database.user());
    return source;
  }

  private void goOn(DataSource source, PostgresServer database) throws SQLException {
    Migrations.run(source, "10");
    insert(
        source,
        OPEN,
        ChainState.READY,
        """
        {"relays":["r1","r2","r3"],"keys":["%s","%s"],"tls":false,"askedPort":0,\
        "ingress":{"host":"127.0.0.1","port":40123},"proxied":false,"revision":4}\
        """
            .formatted("A".repeat(43), "B".repeat(43)));
    // As the first version wrote it.
    insert(source, ENDED, ChainState.CLOSED, "{\"relays\":[\"r9\"],\"keys\":[],\"askedPort\":0}");

    try (Rig rig = Rig.start(state, settings -> settings.withDatabase(database))) {
      Chain chain = rig.client().chain(OPEN);
      assertThat(chain.state()).isEqualTo(ChainState.READY);
      assertThat(chain.relays()).containsExactly("r1", "r2", "r3");
      assertThat(chain.route())
          .isEqualTo(RouteHops.cascade(List.of("r1", "r2", "r3"), HopTransport.TCP).document());
      assertThat(chain.ingress().port()).isEqualTo(40_123);
      assertThat(rig.client().chain(ENDED).relays()).containsExactly("r9");

      // Its relays lack their parts, and get them again: by its old port, under a later revision.
      // The first relay may be thought to have its part still, and is asked for the port once that
      // turns out to be wrong.
      List<FakeRelay> relays = rig.live("r1", "r2", "r3");
      await()
          .untilAsserted(() -> {
            assertThat(relays).allSatisfy(relay -> assertThat(relay.has(OPEN)).isTrue());
            assertThat(relays.get(0).heldPart(OPEN).inlets().getFirst().ingress().port())
                .isEqualTo(40_123);
            assertThat(relays.get(1).heldPart(OPEN).inlets().getFirst().relay().key())
                .isEqualTo(relays.get(0).heldPart(OPEN).outlets().getFirst().relay().key());
          });
      assertThat(relays.get(2).heldPart(OPEN).revision()).isGreaterThan(4);
    }
  }

  private static void insert(DataSource source, UUID id, ChainState chain, String installation) {
    JdbcClient.create(source)
        .sql(
            """
            insert into chain (id, state, destination, request, installation, created_at, updated_at)
            values (:id, :state, '127.0.0.1:9', '{"destination":"127.0.0.1:9"}', :installation,
              current_timestamp, current_timestamp)\
            """)
        .param("id", id)
        .param("state", chain.name())
        .param("installation", installation)
        .update();
  }
}
