package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.contract.RouteHops;
import io.cascade.orchestrator.store.Migrations;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Chains as versions before stored them, in lists of relays, and how many are kept. */
@NullUnmarked
class ChainStoreTest {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Some times what sorting all ended chains once takes. */
  private static final long MOST_BYTES = 64 << 20;

  private final JdbcDataSource source = new JdbcDataSource();
  private Connection keepsIt;

  @BeforeEach
  void createTheDatabaseOfTheVersionBefore() throws SQLException {
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE");
    keepsIt = source.getConnection();
    Migrations.run(source, "10");
  }

  @AfterEach
  void dropIt() throws SQLException {
    keepsIt.close();
  }

  @Test
  void anEncryptedChainKeepsItsRouteItsKeysAndItsPort() {
    UUID id =
        stored(
            """
            {"relays":["a","b","c"],"keys":["k-ab","k-bc"],"tls":true,"askedPort":7000,\
            "ingress":{"host":"198.51.100.1","port":40123},"proxied":false,"revision":9}\
            """);

    assertThat(migrated(id))
        .isEqualTo(
            new Installation(
                RouteHops.cascade(List.of("a", "b", "c"), HopTransport.TLS),
                Map.of("0.0.1", "k-ab", "0.0.2", "k-bc"),
                7_000,
                new Endpoint("198.51.100.1", 40_123),
                false,
                9,
                null));
  }

  @Test
  void aChainOfOneRelayForItsProxyHasNoKeysAndNoPort() {
    UUID id =
        stored("{\"relays\":[\"a\"],\"keys\":[],\"askedPort\":0,\"proxied\":true,\"revision\":1}");

    assertThat(migrated(id))
        .isEqualTo(
            new Installation(
                RouteHops.cascade(List.of("a"), HopTransport.TCP),
                Map.of(),
                0,
                null,
                true,
                1,
                null));
  }

  @Test
  void whatWasStoredBeforeThereWereEncryptionProxiesAndRevisionsHasNone() {
    UUID id = stored("{\"relays\":[\"a\",\"b\"],\"keys\":[\"k\"],\"askedPort\":0}");

    assertThat(migrated(id))
        .isEqualTo(
            new Installation(
                RouteHops.cascade(List.of("a", "b"), HopTransport.TCP),
                Map.of("0.0.1", "k"),
                0,
                null,
                false,
                0,
                null));
  }

  @Test
  void aChainThatWasNeverInstalledStaysSo() {
    assertThat(migrated(stored(null))).isNull();
  }

  @Test
  void theOldestEndedChainsAreDroppedAndAllAreSortedOnlyOnce() {
    Migrations.run(source, "latest");
    JdbcClient db = JdbcClient.create(source);
    int _ =
        db.sql(
                """
                insert into chain (id, state, destination, request, created_at, updated_at)
                select random_uuid(), case when "X" <= 10 then 'READY' else 'FAILED' end, 'db:1', '{}',
                  dateadd('second', "X", current_timestamp), current_timestamp
                from system_range(1, :chains)\
                """)
            .param("chains", 10 + 200 + ChainStore.ENDED_KEPT)
            .update();
    ChainStore store = new ChainStore(db, null);

    long before = THREADS.getCurrentThreadAllocatedBytes();
    store.prune();
    long taken = THREADS.getCurrentThreadAllocatedBytes() - before;

    assertThat(db.sql("select count(*) from chain").query(Integer.class).single())
        .isEqualTo(10 + ChainStore.ENDED_KEPT);
    assertThat(
            db.sql("select count(*) from chain where state = 'READY'")
                .query(Integer.class)
                .single())
        .isEqualTo(10);
    assertThat(taken).isLessThan(MOST_BYTES);
    store.prune();
    assertThat(db.sql("select count(*) from chain").query(Integer.class).single())
        .isEqualTo(10 + ChainStore.ENDED_KEPT);
  }

  private UUID stored(String installation) {
    UUID id = UUID.randomUUID();
    JdbcClient.create(source)
        .sql(
            """
            insert into chain (id, state, destination, request, installation, created_at, updated_at)
            values (:id, 'CLOSED', 'db:1', '{"destination":"db:1"}', :installation,
              current_timestamp, current_timestamp)\
            """)
        .param("id", id)
        .param("installation", installation)
        .update();
    return id;
  }

  private Installation migrated(UUID id) {
    Migrations.run(source, "latest");
    return new ChainStore(JdbcClient.create(source), null).find(id).orElseThrow().installation();
  }
}
