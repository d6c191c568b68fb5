package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client has to do with its own chains, and does not learn that there are others. */
@NullUnmarked
class ChainOwnersTest {
  private Rig rig;
  private OrchestratorClient alice;
  private OrchestratorClient bob;

  @BeforeEach
  void start(@TempDir Path state) {
    rig =
        Rig.start(
            state,
            settings -> settings.withToken("a-secret-of-some-length").withChainsPerClient(3));
    rig.live("r1");
    alice = client("alice", Role.CLIENT);
    bob = client("bob", Role.CLIENT);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private OrchestratorClient client(String name, Role role) {
    return new OrchestratorClient(
        rig.address(),
        rig.client().createKey(ApiKeyRequest.builder().name(name).role(role).build()).secret());
  }

  @Test
  void aClientSeesAndClosesItsOwnChainsAfterARestartAndWithAnotherKeyToo() {
    Chain chain = alice.open(Rig.via("r1"), null);
    rig.stop();
    rig.startAgain();
    OrchestratorClient again = client("alice", Role.CLIENT);

    assertThat(again.chains().chains()).extracting(Chain::id).containsExactly(chain.id());
    assertThat(again.chain(chain.id()).id()).isEqualTo(chain.id());
    again.renew(chain.id());
    again.streams(chain.id());
    again.chainHistory(chain.id());
    assertThat(again.close(chain.id(), true).state()).isEqualTo(ChainState.CLOSED);
  }

  @Test
  void aClientHasSoManyOpenChainsAndOthersAsManyAndOperatorsAny() {
    List<Chain> open = Stream.generate(() -> alice.open(Rig.via("r1"), null)).limit(2).toList();
    Chain keyed = alice.open(Rig.via("r1"), "once");

    assertThatThrownBy(() -> alice.open(Rig.via("r1"), null))
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(429);
              assertThat(problem.type()).isEqualTo("urn:cascade:problem:too-many-chains");
            })
        .hasMessageContaining("3 open chains are the most for client/alice");
    // A repeated call asks for no further one.
    assertThat(alice.open(Rig.via("r1"), "once").id()).isEqualTo(keyed.id());
    assertThat(bob.open(Rig.via("r1"), null).state()).isEqualTo(ChainState.READY);
    OrchestratorClient operator = client("olga", Role.OPERATOR);
    for (int i = 0; i < 4; i++) {
      assertThat(operator.open(Rig.via("r1"), null).state()).isEqualTo(ChainState.READY);
    }

    alice.close(open.getFirst().id(), true);
    assertThat(alice.open(Rig.via("r1"), null).state()).isEqualTo(ChainState.READY);
  }

  @Test
  void callsAtTheSameTimeGetThePlacesThatAreLeftAndARepeatedOneTakesNone() throws Exception {
    Chain _ = alice.open(Rig.via("r1"), null);
    FakeRelay relay = rig.relays().getFirst();
    CountDownLatch release = new CountDownLatch(1);
    relay.before =
        exchange -> {
          if (exchange.getRequestMethod().equals("PUT")) {
            try {
              boolean ignored = release.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          return false;
        };
    long before = relay.count("PUT");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Chain>> repeated =
          Stream.generate(() -> threads.submit(() -> alice.open(Rig.via("r1"), "once")))
              .limit(4)
              .toList();
      await().until(() -> relay.count("PUT") == before + 1);
      Future<Chain> last = threads.submit(() -> alice.open(Rig.via("r1"), null));
      await().until(() -> last.isDone() || relay.count("PUT") == before + 2);
      release.countDown();

      assertThat(last.get(10, TimeUnit.SECONDS).state()).isEqualTo(ChainState.READY);
      for (Future<Chain> each : repeated) {
        assertThat(each.get(10, TimeUnit.SECONDS).state()).isEqualTo(ChainState.READY);
      }
    }
  }

  @Test
  void othersChainsAreNotThereForIt() {
    Chain others = bob.open(Rig.via("r1"), null);
    Chain nobodys = rig.openVia("r1");

    assertThat(alice.chains().chains()).isEmpty();
    for (UUID id : new UUID[] {others.id(), nobodys.id()}) {
      assertUnknown(() -> alice.chain(id), id);
      assertUnknown(() -> alice.close(id, true), id);
      assertUnknown(() -> alice.renew(id), id);
      assertUnknown(() -> alice.streams(id), id);
      assertUnknown(() -> alice.chainHistory(id), id);
    }
    assertThat(rig.state(others.id())).isEqualTo(ChainState.READY);
    assertThat(rig.state(nobodys.id())).isEqualTo(ChainState.READY);
  }

  /** In the words for one that never was. */
  private void assertUnknown(Runnable call, UUID id) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.status()).isEqualTo(404))
        .hasMessage(id + ": no such chain (GET /chains lists)");
  }

  @Test
  void anOperatorClosesEverybodysAndAViewerSeesThem() {
    Chain chain = alice.open(Rig.via("r1"), null);

    assertThat(client("victor", Role.VIEWER).chain(chain.id()).id()).isEqualTo(chain.id());
    assertThat(client("olga", Role.OPERATOR).close(chain.id(), true).state())
        .isEqualTo(ChainState.CLOSED);
  }

  @Test
  void anothersIdempotencyKeyLeadsToNoChainOfIts() {
    Chain hers = alice.open(Rig.via("r1"), "same");
    Chain his = bob.open(Rig.via("r1"), "same");

    assertThat(his.id()).isNotEqualTo(hers.id());
    assertThat(alice.open(Rig.via("r1"), "same").id()).isEqualTo(hers.id());
  }
}
