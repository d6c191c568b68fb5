package io.cascade.orchestrator.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.store.Migrations;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The seat of a database whose clock was set back by an hour. */
@NullUnmarked
class SeatTableTest {
  private static final UUID LEADER = new UUID(0, 1);
  private static final UUID STANDBY = new UUID(0, 2);

  private final JdbcDataSource source = new JdbcDataSource();
  private Connection keepsIt;
  private long nanos;
  private SeatTable leader;
  private SeatTable standby;
  private long epoch;

  @BeforeEach
  void start() throws SQLException {
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE");
    keepsIt = source.getConnection();
    Migrations.run(source, "latest");
    leader = new SeatTable(source, false, () -> nanos);
    standby = new SeatTable(source, false, () -> nanos);
    epoch = leader.take(LEADER, "http://leader").epoch();
    JdbcClient.create(source)
        .sql("update leadership set renewed_at = renewed_at + interval '1' hour")
        .update();
  }

  @AfterEach
  void dropTheDatabase() throws SQLException {
    keepsIt.close();
  }

  @Test
  void aLeaderThatRenewsKeepsIt() {
    assertThat(standbyTakesIt()).isFalse();
    pass(Election.RENEWAL);
    assertThat(leader.renew(epoch, LEADER, "http://leader")).isTrue();
    pass(Tenure.LENGTH);

    assertThat(standbyTakesIt()).isFalse();
  }

  @Test
  void aLeaderThatRenewsNoMoreLosesItATenureAfterThatWasSeen() {
    pass(Tenure.LENGTH);
    assertThat(standbyTakesIt()).isFalse();
    pass(Tenure.LENGTH.minusMillis(1));
    assertThat(standbyTakesIt()).isFalse();
    pass(Duration.ofMillis(1));

    assertThat(standbyTakesIt()).isTrue();
    assertThat(leader.renew(epoch, LEADER, "http://leader")).isFalse();
  }

  private boolean standbyTakesIt() {
    return standby.take(STANDBY, "http://standby").isOurs();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }
}
