package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.orchestrator.store.Migrations;
import io.cascade.orchestrator.time.Jitter;
import io.cascade.orchestrator.time.Timekeeper;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.h2.jdbcx.JdbcDataSource;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What all rules for single chains have in common. */
@NullUnmarked
class ChainUpkeepRuleTest {
  private final JdbcDataSource source = new JdbcDataSource();
  private final AtomicLong nanos = new AtomicLong();
  private final Timekeeper time = new Timekeeper(Clock.systemUTC(), nanos::get);
  private final RelayCalls calls = new RelayCalls();
  private Connection keepsIt;
  private Chain chain;
  private Rule rule;

  @BeforeEach
  void storeAChain() throws SQLException {
    source.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE");
    keepsIt = source.getConnection();
    Migrations.run(source, "latest");
    JdbcClient.create(source)
        .sql(
            """
            insert into chain (id, state, destination, request, created_at, updated_at)
            values (:id, 'PLANNING', 'db:1', '{"destination":"db:1"}',
              current_timestamp, current_timestamp)\
            """)
        .param("id", UUID.randomUUID())
        .update();
    ChainBook book = new ChainBook(new ChainStore(JdbcClient.create(source), null), null, time);
    chain = book.unended().getFirst();
    rule = new Rule(book, calls, new Retries(time, new Jitter(new Random(1))));
  }

  @AfterEach
  void stop() throws SQLException {
    calls.stop();
    keepsIt.close();
  }

  @Test
  void doesWhatAChainNeeds() {
    rule.round();
    await().until(() -> rule.done.equals(List.of(chain.id())));
  }

  @Test
  void leavesAChainAloneThatNeedsNothing() {
    rule.needed = false;
    rule.round();
    calls.stop();
    assertThat(rule.done).isEmpty();
  }

  @Test
  void leavesAChainThatSomebodyWorksOnToALaterRound() {
    chain.work().lock();
    try {
      rule.round();
      rule.soon(chain);
    } finally {
      calls.stop();
      chain.work().unlock();
    }
    assertThat(rule.done).isEmpty();
  }

  @Test
  void looksOnceMoreBeforeItDoesAnything() {
    rule.neededOnce = true;
    rule.round();
    calls.stop();
    assertThat(rule.done).isEmpty();
  }

  @Test
  void waitsAfterAFailureAndForgetsItWithTheChain() {
    rule.retries.failed(chain.id());
    rule.round();
    calls.stop();
    assertThat(rule.done).isEmpty();
    rule.retain(_ -> false);
    assertThat(rule.retries.due(chain.id())).isTrue();
  }

  private static final class Rule extends ChainUpkeepRule {
    private final List<UUID> done = new CopyOnWriteArrayList<>();
    private volatile boolean needed = true;
    private volatile boolean neededOnce;

    private Rule(ChainBook book, RelayCalls calls, Retries retries) {
      super(book, calls, retries);
    }

    @Override
    boolean needs(Chain chain) {
      boolean now = needed;
      needed &= !neededOnce;
      return now;
    }

    @Override
    void keep(Chain chain) {
      done.add(chain.id());
    }
  }
}
