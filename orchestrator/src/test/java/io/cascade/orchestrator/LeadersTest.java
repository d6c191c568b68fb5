package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.orchestrator.store.LeadsNoMore;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.testing.Postgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Two orchestrators over one PostgreSQL database. */
@NullUnmarked
@Timeout(240)
@Tag("slow")
class LeadersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path state;
  private Postgres postgres;
  private PostgresServer database;
  private Rig first;
  private Orchestrator second;

  @BeforeEach
  void start() {
    postgres = Postgres.startOrSkip();
    database = new PostgresServer(postgres.newDatabase(), Postgres.USER, null);
    first = Rig.start(state.resolve("1"), settings -> settings.withDatabase(database));
    second =
        Orchestrator.start(
            RigSettings.local(state.resolve("2"))
                .withDatabase(database)
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
  void oneLeadsAndTheOtherSaysWhichDoes() throws Exception {
    assertThat(first.orchestrator().leads()).isTrue();
    assertThat(second.leads()).isFalse();

    HttpResponse<String> health = get("/api/v1/health");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(health.body()).contains("STANDBY").contains(first.address().toString());
    HttpResponse<String> other = get("/api/v1/relays?limit=3");
    assertThat(other.statusCode()).isEqualTo(307);
    assertThat(other.headers().firstValue("Location"))
        .contains(first.address() + "/api/v1/relays?limit=3");
    assertThat(other.body()).contains("urn:cascade:problem:not-leader");
    OrchestratorClient standby = new OrchestratorClient(second.address(), null);
    assertThatThrownBy(standby::relays)
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining(first.address().toString());
  }

  @Test
  void whenTheLeaderClosesTheOtherLeadsAtOnceWithTheSameChains() {
    Chain chain = closed();
    URI address = second.address();

    first.stop();

    await().atMost(PATIENCE).until(second::leads);
    assertThat(second.address()).isEqualTo(address);
    assertThat(new OrchestratorClient(address, null).chain(chain.id()).state())
        .isEqualTo(ChainState.CLOSED);
  }

  @Test
  void aLeaderThatWasReplacedWritesNothingMoreAndStandsBy() throws Exception {
    JdbcClient stale = first.orchestrator().bean(JdbcClient.class);
    await().atMost(PATIENCE).until(() -> expire() && second.leads());
    assertThatThrownBy(() -> stale.sql("delete from relay").update())
        .isInstanceOf(DataAccessException.class);
    await().atMost(PATIENCE).until(() -> !first.orchestrator().leads());
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> get(first.address(), "/api/v1/health").body().contains("STANDBY"));
  }

  @Test
  void whoeverTakesTheSeatWaitsForAWriteThatIsUnderWay() throws Exception {
    try (Connection writing = connect();
        Connection looking = connect()) {
      writing.setAutoCommit(false);
      run(writing, "select epoch from leadership for key share");
      await().atMost(PATIENCE).until(() -> expire() && waiting(looking) > 0);
      assertThat(second.leads()).isFalse();

      writing.rollback();

      await().atMost(PATIENCE).until(second::leads);
    }
  }

  @Test
  void aLeaderWithoutItsDatabaseStandsByAndLeadsAgainOnceItIsBack() {
    second.close();
    Chain chain = closed();
    AtomicLong ahead = new AtomicLong();
    first.stop();
    first.startAgain(
        settings -> settings.withClocks(Clock.systemUTC(), () -> System.nanoTime() + ahead.get()));
    postgres.stop();

    JdbcClient stale = first.orchestrator().bean(JdbcClient.class);
    ahead.addAndGet(Duration.ofSeconds(20).toNanos());
    // It knows without waiting for a connection.
    assertThatThrownBy(() -> stale.sql("delete from relay").update())
        .isInstanceOf(LeadsNoMore.class);
    await().atMost(PATIENCE).until(() -> !first.orchestrator().leads());
    postgres.startAgain();

    await().atMost(PATIENCE).until(first.orchestrator()::leads);
    assertThat(first.client().chain(chain.id()).state()).isEqualTo(ChainState.CLOSED);
  }

  @Test
  void aStandbyWithoutTheDatabaseIsNotWell() {
    postgres.stop();

    await()
        .atMost(PATIENCE)
        .until(() -> {
          HttpResponse<String> health = get("/api/v1/health");
          return health.statusCode() == 503
              && health.body().contains("urn:cascade:problem:database-away");
        });
    postgres.startAgain();
    await().atMost(PATIENCE).until(() -> get("/api/v1/health").statusCode() == 200);
  }

  @Test
  void aSeatOfALaterTimeThanNowWasKeptBeforeAClockWasSetBackAndIsFree() throws Exception {
    first.stop();
    await().atMost(PATIENCE).until(second::leads);

    try (Connection connection = connect()) {
      run(
          connection,
          "update leadership set epoch = epoch + 1, holder = gen_random_uuid(),"
              + " renewed_at = current_timestamp + interval '1' hour");
    }

    await().atMost(PATIENCE).until(() -> !second.leads());
    await().atMost(PATIENCE).until(second::leads);
  }

  @Test
  void oneThatCannotServeLeavesTheSeat() throws Exception {
    second.close();
    LeadsBeginning beginning =
        new LeadsBeginning(() -> {
          throw new StackOverflowError();
        });
    second = secondWith(beginning);

    beginning.isArmed = true;
    first.stop();

    CompletableFuture<Throwable> ended =
        CompletableFuture.supplyAsync(() -> catchThrowable(second::awaitClose));
    assertThat(ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(StackOverflowError.class);
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        var row = statement.executeQuery("select holder from leadership")) {
      row.next();
      assertThat(row.getObject("holder")).isNull();
    }
  }

  @Test
  void oneThatLosesTheSeatWhileItBeginsToLeadStandsByAndMayLeadLater() {
    second.close();
    LeadsBeginning beginning = new LeadsBeginning(this::takeTheSeat);
    second = secondWith(beginning);

    beginning.isArmed = true;
    first.stop();

    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() -> !beginning.isArmed && get("/api/v1/health").body().contains("http://another"));
    assertThat(expireThatOf("http://another")).isTrue();
    await().atMost(PATIENCE).until(second::leads);
  }

  /** A clock that something happens at, once: it is asked first where one begins to lead. */
  private static final class LeadsBeginning extends Clock {
    private final Runnable then;
    volatile boolean isArmed;

    LeadsBeginning(Runnable then) {
      this.then = then;
    }

    @Override
    public ZoneOffset getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      if (isArmed) {
        isArmed = false;
        then.run();
      }
      return Instant.now();
    }
  }

  private Orchestrator secondWith(Clock clock) {
    return Orchestrator.start(
        RigSettings.local(state.resolve("2"))
            .withDatabase(database)
            .withHeartbeat(Rig.HEARTBEAT)
            .withClocks(clock, System::nanoTime)
            .settings());
  }

  private void takeTheSeat() {
    try (Connection connection = connect()) {
      run(
          connection,
          "update leadership set epoch = epoch + 1, holder = gen_random_uuid(),"
              + " address = 'http://another', renewed_at = current_timestamp");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Chain closed() {
    first.live("r1");
    Chain chain = first.openVia("r1");
    return first.client().close(chain.id(), false);
  }

  /** As if the leader had not renewed its seat for long, until it does. */
  private boolean expire() {
    return expireThatOf(first.address().toString());
  }

  private boolean expireThatOf(String address) {
    try (Connection connection = connect()) {
      run(
          connection,
          "update leadership set renewed_at = current_timestamp - interval '1' hour where address = '"
              + address
              + "'");
      return true;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int waiting(Connection on) throws SQLException {
    try (Statement statement = on.createStatement();
        var row = statement.executeQuery("select count(*) from pg_locks where not granted")) {
      row.next();
      return row.getInt(1);
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return get(second.address(), path);
  }

  private static HttpResponse<String> get(URI at, String path) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create(at + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(database.url(), database.user(), "");
  }

  private static void run(Connection on, String sql) throws SQLException {
    try (Statement statement = on.createStatement()) {
      statement.execute(sql);
    }
  }
}
