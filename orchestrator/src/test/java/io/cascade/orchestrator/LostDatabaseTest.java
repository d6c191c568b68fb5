package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.testing.Postgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A database that goes away under a running orchestrator, and comes back. */
@NullUnmarked
@Timeout(240)
@Tag("slow")
class LostDatabaseTest {
  @TempDir private Path state;
  private Postgres postgres;
  private Rig rig;

  @BeforeEach
  void start() {
    postgres = Postgres.startOrSkip();
    rig =
        Rig.start(
            state,
            settings ->
                settings.withDatabase(
                    new PostgresServer(postgres.newDatabase(), Postgres.USER, null)));
  }

  @AfterEach
  void stop() {
    if (rig != null) {
      rig.close();
    }
    if (postgres != null) {
      postgres.close();
    }
  }

  @Test
  void chainsAreKeptWithoutIt() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = rig.client().open(Rig.request(List.of("r1"), null, 3, null), null);

    postgres.stop();

    assertFails(() -> rig.openVia("r1"));
    assertThat(r1.has(chain.id())).isTrue();
    postgres.startAgain();
    int renewals = r1.renewals.size();
    backAgain().until(() -> rig.openVia("r1").state() == ChainState.READY);
    backAgain().until(() -> r1.renewals.size() > renewals);
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
  }

  @Test
  void whatCouldNotBeStoredDidNotHappenAndIsDoneLater() {
    rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    Chain chain = rig.openVia("r1", "r2");

    postgres.stop();
    r2.restart();

    assertFails(() -> rig.client().close(chain.id(), false));
    postgres.startAgain();
    backAgain().until(() -> r2.has(chain.id()));
    backAgain().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(rig.client().close(chain.id(), false).state()).isEqualTo(ChainState.CLOSED);
  }

  @Test
  void aChainThatWasBeingClosedIsClosedOnceItIsBack() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = rig.openVia("r1");
    r1.before =
        exchange -> {
          if (exchange.getRequestMethod().equals("DELETE")) {
            postgres.stop();
          }
          return false;
        };

    assertFails(() -> rig.client().close(chain.id(), false));
    r1.behave();
    postgres.startAgain();

    backAgain().until(() -> rig.state(chain.id()) == ChainState.CLOSED);
    assertThat(r1.has(chain.id())).isFalse();
  }

  private static void assertFails(ThrowingCallable call) {
    assertThatThrownBy(call).matches(LostDatabaseTest::isAway);
  }

  /** The orchestrator may have had to stand by meanwhile, and starts anew then. */
  private static ConditionFactory backAgain() {
    return await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptionsMatching(LostDatabaseTest::isAway);
  }

  @Test
  void whoeverLooksAtAChainDoesNotWaitUntilWhatHappensToItIsStored() throws Exception {
    rig.live("r1");
    Chain chain = rig.openVia("r1");
    try (Connection slow = connect();
        Connection looking = connect()) {
      slow.setAutoCommit(false);
      run(slow, "lock table chain in exclusive mode");
      CompletableFuture<Chain> closing =
          CompletableFuture.supplyAsync(() -> rig.client().close(chain.id(), false));
      await().until(() -> count(looking, "locktype = 'relation' and not granted") == 1);

      assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
      assertThat(closing).isNotDone();
      slow.rollback();
      assertThat(closing.get(30, TimeUnit.SECONDS).state()).isEqualTo(ChainState.CLOSED);
    }
  }

  private static boolean isAway(Throwable failure) {
    return failure instanceof ProblemException || failure instanceof UnreachableException;
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(rig.database().url(), rig.database().user(), "");
  }

  private static int count(Connection on, String which) throws SQLException {
    try (Statement statement = on.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from pg_locks where " + which)) {
      row.next();
      return row.getInt(1);
    }
  }

  private static void run(Connection on, String sql) {
    try (Statement statement = on.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
