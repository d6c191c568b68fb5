package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Problem;
import io.cascade.orchestrator.Steps.Fate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * An orchestrator's process is killed at each step of what it does with relays, and started again.
 * Then no relay holds a part that nobody wants, and every chain that is open is whole.
 */
@NullUnmarked
@Timeout(240)
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT) // Each method has a process of its own, and waits for it.
class KilledOrchestratorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private OrchestratorProcess orchestrator;
  private Steps steps;
  private final List<FakeRelay> relays = new ArrayList<>();

  @BeforeEach
  void start(@TempDir Path state) {
    orchestrator = OrchestratorProcess.start(state);
    steps = new Steps(orchestrator);
  }

  @AfterEach
  void stop() {
    if (orchestrator != null) {
      orchestrator.close();
    }
    relays.forEach(FakeRelay::close);
  }

  @Test
  void whileItSetsUp() {
    live("r1", "r2", "r3");

    int killed = killedAtEveryStep(1, () -> {}, () -> open("r1", "r2", "r3"));

    assertThat(killed).as("parts put").isEqualTo(3);
  }

  @Test
  void whileItSetsUpAndWhatItSentArrivesAfterTheNextOneHasCleanedUp() {
    live("r1", "r2", "r3");

    killedAt(1, Fate.LATE, () -> open("r1", "r2", "r3"));

    UUID chain = orchestrator.client().chains().chains().getFirst().id();
    steps.release();
    await().until(() -> relays.stream().anyMatch(relay -> relay.has(chain)));
    awaitAllIsAsWanted();
  }

  @Test
  void whileItTakesBackAfterARefusal() {
    live("r1", "r2");
    steps.watch(
        relays.get(1),
        exchange -> {
          if (!exchange.getRequestMethod().equals("PUT")) {
            return false;
          }
          Problem full =
              Problem.builder()
                  .type("urn:cascade:problem:limit-reached")
                  .title("Refused")
                  .status(503)
                  .detail("full")
                  .build();
          FakeRelay.answer(exchange, 503, full);
          return true;
        });

    int killed = killedAtEveryStep(3, () -> {}, () -> open("r1", "r2"));

    assertThat(killed)
        .as("parts put, taken back at the refusal, and again when all have answered")
        .isEqualTo(6);
  }

  @Test
  void whileItTearsDown() {
    live("r1", "r2", "r3");
    List<Chain> open = new ArrayList<>();

    int killed =
        killedAtEveryStep(
            1,
            () -> open.add(open("r1", "r2", "r3")),
            () -> orchestrator.client().close(open.getLast().id(), false));

    assertThat(killed).as("parts taken off").isEqualTo(3);
    assertThat(states().values()).containsOnly(ChainState.CLOSED);
  }

  @Test
  void whileItGivesARestartedRelayItsPartAgain() {
    live("r1", "r2");
    Chain chain = open("r1", "r2");
    ChainPart[] before = new ChainPart[1];

    int killed =
        killedAtEveryStep(
            1,
            () -> before[0] = relays.get(1).heldPart(chain.id()),
            () -> {
              relays.get(1).restart();
              awaitDeathOr(() ->
                  state(chain.id()) == ChainState.READY
                      && relays.get(1).has(chain.id())
                      && !relays.get(1).heldPart(chain.id()).equals(before[0]));
            });

    assertThat(killed).as("parts put again").isEqualTo(2);
    assertThat(states()).containsOnly(Map.entry(chain.id(), ChainState.READY));
  }

  @Test
  void whileItGivesPartsAgainAndWhatItSentArrivesAfterTheNextOneHasGivenNewerOnes() {
    live("r1", "r2");
    Chain chain = open("r1", "r2");

    killedAt(
        1,
        Fate.LATE,
        () -> {
          relays.get(1).restart();
          awaitDeathOr(() -> states().isEmpty());
        });
    assertThat(states()).containsOnly(Map.entry(chain.id(), ChainState.READY));
    Map<String, ChainPart> given = parts(chain.id());
    steps.release();

    await()
        .atMost(PATIENCE)
        .until(
            () -> relays.stream().mapToInt(relay -> relay.stale.size()).sum() == steps.delayed());
    assertThat(steps.delayed()).isPositive();
    assertThat(parts(chain.id())).isEqualTo(given);
    allIsAsWanted();
  }

  @Test
  void revisionsGoOnWhereTheKilledOneWas() {
    live("r1");
    Chain chain = open("r1");
    long first = relays.getFirst().heldPart(chain.id()).revision();

    orchestrator.kill();
    assertThat(orchestrator.temporary()).as("what it leaves behind").isEmptyDirectory();
    orchestrator.startAgain();
    relays.getFirst().restart();

    await().atMost(PATIENCE).until(() -> relays.getFirst().has(chain.id()));
    assertThat(relays.getFirst().heldPart(chain.id()).revision()).isGreaterThan(first);
  }

  private Map<String, ChainPart> parts(UUID chain) {
    return relays.stream()
        .collect(Collectors.toMap(FakeRelay::name, relay -> relay.heldPart(chain)));
  }

  @Test
  void whileItLeadsAChainAroundALostRelay() {
    ReroutingTest.Crossing crossing = ReroutingTest.Crossing.of(orchestrator);
    relays.addAll(crossing.all());
    relays.forEach(steps::watch);
    List<Chain> open = new ArrayList<>();

    int killed =
        killedAtEveryStep(
            1,
            () -> {
              open.forEach(chain -> orchestrator.client().close(chain.id(), false));
              if (!crossing.better().beats()) {
                crossing.better().live();
              }
              await().until(() -> relaysUp() == 3);
              Chain chain = orchestrator.client().open(ReroutingTest.Crossing.request(), null);
              assertThat(chain.relays()).containsExactly("near", "better");
              open.add(chain);
            },
            () -> {
              crossing.better().stopBeating();
              awaitDeathOr(() -> isReadyVia("other", open.getLast()));
            });

    assertThat(killed).as("parts put on another route").isGreaterThanOrEqualTo(2);
    await().atMost(PATIENCE).until(() -> isReadyVia("other", open.getLast()));
  }

  private boolean isReadyVia(String relay, Chain chain) {
    Chain now = orchestrator.client().chain(chain.id());
    return now.state() == ChainState.READY && now.relays().contains(relay);
  }

  private void live(String... names) {
    relays.addAll(orchestrator.live(names));
    relays.forEach(steps::watch);
  }

  private Chain open(String... via) {
    return orchestrator.client().open(Rig.via(via), null);
  }

  /**
   * A lost request looks as if its sender had died right after the one before: so only the last one
   * needs to be carried out unheard.
   *
   * @param from the first step to be killed at
   * @param prepare what comes before, undisturbed
   * @return steps of an undisturbed run
   */
  private int killedAtEveryStep(int from, Runnable prepare, Runnable work) {
    int step = from;
    prepare.run();
    while (killedAt(step, Fate.LOST, work)) {
      step++;
      prepare.run();
    }
    int last = step - 1;
    prepare.run();
    while (!killedAt(last, Fate.DONE, work)) {
      // A request that was repeated on a busy machine had counted as one more.
      last--;
      assertThat(last).as("steps that were there again").isGreaterThanOrEqualTo(from);
      prepare.run();
    }
    System.out.printf("killed at each of %d steps from step %d on%n", last - from + 1, from);
    return last;
  }

  /**
   * @return whether it came so far
   */
  private boolean killedAt(int step, Fate fate, Runnable work) {
    steps.killAt(step, fate);
    try {
      work.run();
    } catch (UnreachableException e) {
      // It died, as it should.
    } catch (ProblemException e) {
      assertThat(steps.reached()).as("refused without a kill: %s", e.getMessage()).isFalse();
    }
    boolean killed = steps.reached();
    steps.over();
    if (killed) {
      orchestrator.startAgain();
    }
    awaitAllIsAsWanted();
    return killed;
  }

  private void awaitDeathOr(BooleanSupplier finished) {
    await()
        .atMost(PATIENCE)
        .until(() -> {
          try {
            return finished.getAsBoolean();
          } catch (UnreachableException e) {
            return steps.reached();
          }
        });
  }

  private long relaysUp() {
    return orchestrator.client().relays().relays().stream()
        .filter(relay -> relay.status() == io.cascade.api.orchestrator.RelayStatus.UP)
        .count();
  }

  private ChainState state(UUID chain) {
    return orchestrator.client().chain(chain).state();
  }

  private Map<UUID, ChainState> states() {
    return orchestrator.client().chains().chains().stream()
        .collect(Collectors.toMap(Chain::id, Chain::state));
  }

  private void awaitAllIsAsWanted() {
    await().atMost(PATIENCE).untilAsserted(this::allIsAsWanted);
  }

  private void allIsAsWanted() {
    Map<UUID, Chain> chains =
        orchestrator.client().chains().chains().stream()
            .collect(Collectors.toMap(Chain::id, Function.identity()));
    for (FakeRelay relay : relays) {
      for (UUID held : relay.held()) {
        Chain chain = chains.get(held);
        // A lost relay cannot be asked to give anything up; it is when it is back.
        if (relay.beats()) {
          assertThat(chain).as("orphan at %s", relay.name()).isNotNull();
          assertThat(chain.relays()).as("parts of %s", held).contains(relay.name());
          assertThat(chain.state()).as("part at %s", relay.name()).isEqualTo(ChainState.READY);
        }
      }
    }
    for (Chain chain : chains.values()) {
      assertThat(chain.state()).isIn(ChainState.READY, ChainState.CLOSED, ChainState.FAILED);
      if (chain.state() == ChainState.READY) {
        isWhole(chain);
      }
    }
  }

  private void isWhole(Chain chain) {
    ChainPart before = null;
    for (String name : chain.relays()) {
      FakeRelay relay =
          relays.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
      ChainPart part = relay.part(chain.id());
      assertThat(part).as("part of %s at %s", chain.id(), name).isNotNull();
      if (before == null) {
        assertThat(part.inlets().getFirst().ingress().port()).isIn(0, chain.ingress().port());
      } else {
        assertThat(part.inlets().getFirst().relay().key())
            .as("key at %s", name)
            .isEqualTo(before.outlets().getFirst().relay().key());
        assertThat(before.outlets().getFirst().relay().port()).isEqualTo(relay.hop().port());
        assertThat(part.inlets().getFirst().hop()).isEqualTo(before.outlets().getFirst().hop());
      }
      before = part;
    }
    assertThat(before.outlets().getFirst().egress()).isNotNull();
  }
}
