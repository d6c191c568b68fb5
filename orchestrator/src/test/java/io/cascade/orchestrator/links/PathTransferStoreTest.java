package io.cascade.orchestrator.links;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.links.PathTransferStore.Table;
import io.cascade.orchestrator.store.Migrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Evidence on paths is read as it was stored. */
@NullUnmarked
class PathTransferStoreTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final PathEnds PATH = new PathEnds("r1", "files.example:9000");
  private static final Transfers SHOWN = Transfers.atLeast(6e6, NOW);

  private final JdbcDataSource source = new JdbcDataSource();
  private Connection keepsIt;

  @BeforeEach
  void createTheDatabase() throws SQLException {
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE");
    keepsIt = source.getConnection();
    Migrations.run(source, "latest");
  }

  @AfterEach
  void dropIt() throws SQLException {
    keepsIt.close();
  }

  @ParameterizedTest
  @EnumSource
  void theLatestOfAPathIsReadAgain(Table table) {
    store(table).save(PATH, Transfers.NONE, NOW);
    store(table).save(PATH, SHOWN, NOW);

    assertThat(store(table).all()).containsOnlyKeys(PATH).containsValue(SHOWN);
  }

  @ParameterizedTest
  @EnumSource
  void whatIsOldOrRemovedIsGone(Table table) {
    PathTransferStore store = store(table);
    store.save(PATH, SHOWN, NOW.minus(Duration.ofDays(2)));
    store.save(new PathEnds("r2", PATH.to()), SHOWN, NOW);
    store.save(new PathEnds("r3", PATH.to()), SHOWN, NOW);

    store.removeBefore(NOW.minus(Duration.ofDays(1)));
    store.remove(new PathEnds("r3", PATH.to()));

    assertThat(store.all()).containsOnlyKeys(new PathEnds("r2", PATH.to()));
  }

  private PathTransferStore store(Table table) {
    return new PathTransferStore(JdbcClient.create(source), table);
  }
}
