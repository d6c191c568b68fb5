package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.EventType;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.orchestrator.store.PostgresServer;
import io.cascade.orchestrator.time.ManualTime;
import io.cascade.testing.Postgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What an orchestrator knows after it was stopped and started again, whatever keeps its state. */
@NullUnmarked
@ParameterizedClass
@EnumSource
@Tag("slow")
class RestartTest {
  private static Postgres postgres;

  @TempDir private Path state;
  private final Store store;
  private Rig rig;

  /** What keeps the state. */
  enum Store {
    H2,
    POSTGRESQL
  }

  RestartTest(Store store) {
    this.store = store;
  }

  @Test
  void linksOfARelayThatIsNotRegisteredAnyMoreAreForgotten() {
    rig.relay("r2").register();
    FakeRelay r1 = rig.relay("r1").register();
    r1.links.add(Rig.measured("r2", 100, 1, 20));
    r1.beat();
    assertThat(rig.client().links().links()).hasSize(1);
    // As where it was forgotten just when the links were stored.
    rig.orchestrator().bean(JdbcClient.class).sql("delete from relay where name = 'r2'").update();

    rig.stop();
    rig.startAgain();

    assertThat(rig.client().links().links()).isEmpty();
    assertThat(
            rig.orchestrator()
                .bean(JdbcClient.class)
                .sql("select count(*) from link")
                .query(Integer.class)
                .single())
        .isZero();
  }

  @BeforeEach
  void start() {
    rig = Rig.start(state, settings -> settings.withDatabase(database()));
  }

  private PostgresServer database() {
    if (store == Store.H2) {
      return null;
    }
    if (postgres == null) {
      postgres = Postgres.startOrSkip();
    }
    return new PostgresServer(postgres.newDatabase(), Postgres.USER, null);
  }

  @AfterAll
  static void stopPostgres() {
    if (postgres != null) {
      postgres.close();
      postgres = null;
    }
  }

  @AfterEach
  void stop() {
    if (rig != null) {
      rig.close();
    }
  }

  @Test
  void relaysLinksAndChainsAreStillThereAndRelaysNotice() {
    FakeRelay r1 = rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    r1.links.add(Rig.measured("r2", 100, 3, 25));
    await().until(() -> !rig.client().links().links().isEmpty());
    Chain chain = rig.client().open(Rig.request(List.of("r1", "r2"), null, 3, null), "k1");
    r1.links.clear();
    r2.links.clear();
    rig.stop();
    int renewalsBefore = r1.renewals.size();

    rig.startAgain();

    assertThat(rig.client().relays().relays())
        .extracting(Relay::status)
        .containsExactly(RelayStatus.UP, RelayStatus.UP);
    assertThat(rig.client().links().links())
        .singleElement()
        .satisfies((Link link) -> {
          assertThat(link.probesSent()).isGreaterThanOrEqualTo(100);
          assertThat(link.minRttMillis()).isEqualTo(25);
        });
    Chain again = rig.client().chain(chain.id());
    assertThat(again.state()).isEqualTo(ChainState.READY);
    assertThat(again.ingress()).isEqualTo(chain.ingress());
    assertThat(again.setup()).isEqualTo(chain.setup());
    assertThat(again.createdAt()).isEqualTo(chain.createdAt());
    // Renewed at once: nobody knows how old the lease is. And nothing was put again.
    await().until(() -> r1.renewals.size() > renewalsBefore);
    assertThat(r1.count("PUT")).isEqualTo(1);
    assertThat(rig.client().open(Rig.request(List.of("r1", "r2"), null, 3, null), "k1").id())
        .isEqualTo(chain.id());
  }

  @Test
  void whatChainsCarriedInThePastHourIsStillShown() {
    FakeRelay relay = rig.live("r1");
    Chain chain = rig.openVia("r1");
    relay.totals = RateHistoryTest.carried(0, 0);
    RateHistoryTest.look(relay);
    relay.totals = RateHistoryTest.carried(2_000_000, 500_000);
    RateHistoryTest.look(relay);
    rig.stop();
    ManualTime time = ManualTime.running();
    time.pass(Duration.ofSeconds(40));

    rig.startAgain(settings -> settings.withClocks(time.clock(), time.nanos()));

    assertThat(RateHistoryTest.bytes(rig.client().chainHistory(chain.id()), true))
        .isCloseTo(2_000_000, within(1.0));
    assertThat(RateHistoryTest.bytes(rig.client().rateHistory(), false))
        .isCloseTo(500_000, within(1.0));
  }

  @Test
  void partsThatLapsedMeanwhileArePutAgain() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    Chain chain = rig.openVia("r1", "r2");
    String oldKey = relays.get(1).heldPart(chain.id()).inlets().getFirst().relay().key();
    rig.stop();
    relays.forEach(relay -> relay.forget(chain.id()));

    rig.startAgain();

    await().until(() -> relays.stream().allMatch(relay -> relay.has(chain.id())));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(relays.get(1).heldPart(chain.id()).inlets().getFirst().relay().key())
        .isNotEqualTo(oldKey)
        .isEqualTo(relays.get(0).heldPart(chain.id()).outlets().getFirst().relay().key());
    assertThat(relays.get(0).heldPart(chain.id()).inlets().getFirst().ingress().port())
        .isEqualTo(chain.ingress().port());
  }

  @Test
  void aRelayThatDiedMeanwhileIsLostAndAfterEightDaysForgottenWhereNoChainUsesIt() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = rig.openVia("r1");
    rig.relay("unused").register();
    rig.stop();
    r1.die();
    ManualTime time = ManualTime.running();
    time.pass(Duration.ofDays(8));

    rig.startAgain(settings -> settings.withClocks(time.clock(), time.nanos()));

    await().until(() -> rig.client().relay("r1").status() == RelayStatus.LOST);
    await().until(() -> rig.client().relays().relays().size() == 1);
    assertThat(rig.events())
        .filteredOn(event -> event.type() == EventType.RELAY_FORGOTTEN)
        .extracting(Event::message)
        .anyMatch(words -> words.contains("unused was forgotten: not seen since"));
    await().until(() -> rig.state(chain.id()) == ChainState.DEGRADED);
    r1.restart();
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(r1.has(chain.id())).isTrue();
  }

  @Test
  void aChainThatWasDegradedIsMadeWholeAgain() {
    FakeRelay r1 = rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    Chain chain = rig.openVia("r1", "r2");
    r2.stopBeating();
    await().until(() -> rig.state(chain.id()) == ChainState.DEGRADED);
    rig.stop();
    r2.restart();

    rig.startAgain();

    await()
        .untilAsserted(() -> {
          assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
          assertThat(r2.heldPart(chain.id()).inlets().getFirst().relay().key())
              .isEqualTo(r1.heldPart(chain.id()).outlets().getFirst().relay().key());
        });
  }

  @Test
  void aSetUpThatTheEndInterruptedIsTakenBack() throws Exception {
    FakeRelay r1 = rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    CountDownLatch release = new CountDownLatch(1);
    r2.before =
        exchange -> {
          if (exchange.getRequestMethod().equals("PUT")) {
            try {
              release.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return false;
        };
    OrchestratorClient client = rig.client();
    CompletableFuture<Void> opening =
        CompletableFuture.runAsync(() -> {
          try {
            client.open(Rig.via("r1", "r2"), "k1");
          } catch (UnreachableException | ProblemException e) {
            // It went away, as it should.
          }
        });
    await().until(() -> r1.count("PUT") == 1 && r2.count("PUT") == 1);
    UUID chain = rig.client().chains().chains().getFirst().id();
    assertThat(rig.state(chain)).isEqualTo(ChainState.INSTALLING);
    rig.stop();
    r2.behave();
    release.countDown();
    opening.get(20, TimeUnit.SECONDS);

    rig.startAgain();

    await().until(() -> rig.state(chain) == ChainState.FAILED);
    await().until(() -> !r1.has(chain) && !r2.has(chain));
    assertThat(rig.client().chain(chain).reason()).isNotBlank();
    // The key of an attempt that came to nothing makes another.
    assertThat(rig.client().open(Rig.via("r1", "r2"), "k1").state()).isEqualTo(ChainState.READY);
  }

  @Test
  void theStateIsForItsOwnersEyes() throws Exception {
    assumeTrue(store == Store.H2, "lies in a file");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(state.resolve("orchestrator"))))
        .isEqualTo("rwx------");
  }
}
