package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PartInlet;
import io.cascade.orchestrator.time.ManualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What relays hold is compared with what they are wanted to hold. */
@NullUnmarked
class PartInspectionTest {
  private final ManualTime time = ManualTime.running();

  @TempDir private Path folder;
  private Path state;
  private Rig rig;

  @BeforeEach
  void start() {
    state = folder.resolve("state");
    rig = Rig.start(state, settings -> settings.withClocks(time.clock(), time.nanos()));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void aRelayThatMissedTheEndOfAChainGivesUpItsPartWhenItIsHeardOfAgain() {
    rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    Chain chain = rig.openVia("r1", "r2");
    r2.before =
        exchange -> {
          FakeRelay.answer(exchange, 500, "broken");
          return true;
        };
    r2.stopBeating();
    await().until(() -> rig.state(chain.id()) == ChainState.DEGRADED);
    assertThat(rig.client().close(chain.id(), false).reason()).contains("r2 did not answer");
    assertThat(r2.has(chain.id())).isTrue();

    r2.behave();
    r2.live();

    await().until(() -> !r2.has(chain.id()));
    await()
        .untilAsserted(() ->
            assertThat(rig.events().stream().map(Event::message))
                .contains(
                    "chain "
                        + chain.id()
                        + ": r2 still held a part that the chain no longer uses, and removed it"));
  }

  @Test
  void aPartThatComesLateIsTakenOffAfterAWhile() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = rig.openVia("r1");
    var part = r1.heldPart(chain.id());
    rig.client().close(chain.id(), false);

    r1.hold(chain.id(), part);

    await().until(() -> !r1.has(chain.id()));
  }

  @Test
  void aPartOfAChainThatWasNeverHereIsLeftToItsLease() {
    FakeRelay r1 = rig.live("r1");
    Chain ours = rig.openVia("r1");
    UUID theirs = UUID.randomUUID();
    r1.hold(theirs, r1.heldPart(ours.id()));
    rig.client().close(ours.id(), false);
    r1.hold(ours.id(), r1.heldPart(theirs));

    // The same look at the relay sees both.
    await().until(() -> !r1.has(ours.id()));
    assertThat(r1.has(theirs)).isTrue();
  }

  @Test
  void aPartWithoutALeaseOfAChainThatWasNeverHereIsRemovedAfterAWhile() {
    FakeRelay r1 = rig.live("r1");
    Chain ours = rig.openVia("r1");
    UUID theirs = UUID.randomUUID();
    r1.hold(theirs, r1.heldPart(ours.id()));
    r1.unattended.add(theirs);
    look(r1);
    assertThat(r1.has(theirs)).isTrue();

    time.pass(Duration.ofMinutes(10));

    await().until(() -> !r1.has(theirs));
    assertThat(r1.has(ours.id())).isTrue();
  }

  @Test
  void howeverManyUnknownPartsARelayHasTheLogHasOneLineForEachLook() {
    FakeRelay r1 = rig.live("r1");
    Chain ours = rig.openVia("r1");
    for (int i = 0; i < 5; i++) {
      UUID theirs = UUID.randomUUID();
      r1.hold(theirs, r1.heldPart(ours.id()));
      r1.unattended.add(theirs);
    }

    assertThat(warnings(() -> look(r1)))
        .filteredOn(line -> line.contains("does not know"))
        .singleElement()
        .asString()
        .startsWith("r1 holds parts of 5 chains");
  }

  private static List<String> warnings(Runnable during) {
    Logger logger = (Logger) LoggerFactory.getLogger("io.cascade.orchestrator.chains");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    logger.addAppender(lines);
    try {
      during.run();
    } finally {
      logger.detachAppender(lines);
    }
    return List.copyOf(lines.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void aRelayThatAnswersSlowlyIsNotAskedAgainMeanwhile() {
    FakeRelay slow = rig.live("slow");
    FakeRelay other = rig.live("other");
    look(slow);
    CountDownLatch gate = new CountDownLatch(1);
    slow.before =
        exchange -> {
          if (exchange.getRequestURI().getPath().endsWith("/chains")) {
            awaitOpen(gate);
          }
          return false;
        };
    long before = looks(slow);
    slow.register();
    await().until(() -> looks(slow) == before + 1);

    slow.register();
    look(other);

    assertThat(looks(slow)).isEqualTo(before + 1);
    gate.countDown();
    await().until(() -> looks(slow) == before + 2);
  }

  private static void awaitOpen(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aWantedPartWhoseLeaseHasRunOutIsNeitherRemovedNorPutAgain() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = rig.openVia("r1");
    r1.unattended.add(chain.id());

    look(r1);
    time.pass(Duration.ofMinutes(10));
    look(r1);

    assertThat(r1.calls.stream().filter(call -> call.method().equals("PUT"))).hasSize(1);
    assertThat(r1.calls).noneMatch(call -> call.method().equals("DELETE"));
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
  }

  @Test
  void aPartWithoutALeaseOfAChainThatHasEndedIsRemovedAtOnce() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = rig.openVia("r1");
    var part = r1.heldPart(chain.id());
    rig.client().close(chain.id(), false);
    r1.hold(chain.id(), part);
    r1.unattended.add(chain.id());

    look(r1);

    await().until(() -> !r1.has(chain.id()));
  }

  @Test
  void afterAnOlderDatabaseWasRestoredWantedChainsStayAndLaterOnesGoAfterAWhile()
      throws IOException {
    FakeRelay r1 = rig.live("r1");
    Chain old = rig.openVia("r1");
    rig.stop();
    Path backup = folder.resolve("backup");
    copy(state, backup);
    rig.startAgain();
    Chain later = rig.openVia("r1");
    rig.stop();
    copy(backup, state);
    r1.unattended.add(old.id());
    r1.unattended.add(later.id());
    rig.startAgain();
    look(r1);
    assertThat(r1.has(later.id())).isTrue();

    time.pass(Duration.ofMinutes(10));

    await().until(() -> !r1.has(later.id()));
    assertThat(r1.has(old.id())).isTrue();
    await().until(() -> rig.state(old.id()) == ChainState.READY);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path one : all.toList()) {
        Path copy = to.resolve(from.relativize(one));
        if (Files.isDirectory(one)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(one, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /** A relay that registers is looked at at once. */
  private static void look(FakeRelay relay) {
    for (int twice = 0; twice < 2; twice++) {
      long before = looks(relay);
      relay.register();
      // The second one is asked for after the first was judged.
      await().until(() -> looks(relay) > before);
    }
  }

  private static long looks(FakeRelay relay) {
    return relay.calls.stream()
        .filter(call -> call.method().equals("GET") && call.path().endsWith("/chains"))
        .count();
  }

  /** An orchestrator of an older version put it meanwhile. */
  @Test
  void aPartWithoutTheSourcesThatItsChainNamesIsPutAgain() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = openTo("10.0.0.0/8");
    ChainPart asked = r1.heldPart(chain.id());

    r1.hold(chain.id(), withoutSources(asked));
    look(r1);

    await().until(() -> ingress(r1.heldPart(chain.id())).allowSources() != null);
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    Ingress now = ingress(r1.heldPart(chain.id()));
    assertThat(now.allowSources()).isEqualTo(ingress(asked).allowSources());
    assertThat(now.port()).as("which applications know").isEqualTo(chain.ingress().port());
    assertThat(rig.events().stream().map(Event::message))
        .anyMatch(line -> line.contains("r1 accepted streams from every address"));
  }

  /** It would be put again for ever. */
  @Test
  void aPartOfARelayThatDoesNotTellOfItsSourcesIsLeft() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = openTo("10.0.0.0/8");
    r1.knowsSources = false;

    look(r1);

    assertThat(r1.count("PUT")).isOne();
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
  }

  @Test
  void aPartOfAChainThatTakesEverybodysStreamsIsLeft() {
    FakeRelay r1 = rig.live("r1");
    Chain chain = rig.openVia("r1");

    look(r1);

    assertThat(r1.count("PUT")).isOne();
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
  }

  private Chain openTo(String source) {
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(Rig.DESTINATION)
                .via(List.of("r1"))
                .options(ChainOptions.builder().allowSources(List.of(source)).build())
                .build(),
            null);
  }

  private static Ingress ingress(ChainPart part) {
    return part.inlets().getFirst().ingress();
  }

  private static ChainPart withoutSources(ChainPart part) {
    PartInlet inlet = part.inlets().getFirst();
    Ingress ingress = inlet.ingress();
    return ChainPart.builder()
        .inlets(
            List.of(
                PartInlet.builder()
                    .hop(inlet.hop())
                    .ingress(Ingress.builder().port(ingress.port()).key(ingress.key()).build())
                    .build()))
        .outlets(part.outlets())
        .leaseSeconds(part.leaseSeconds())
        .options(part.options())
        .revision(part.revision())
        .build();
  }

  @Test
  void aPartThatIsMissingIsPutAgainLongBeforeItsLeaseIsDue() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    Chain chain = rig.client().open(Rig.request(List.of("r1", "r2"), null, 86_400, null), null);

    relays.get(1).forget(chain.id());

    await().until(() -> relays.get(1).has(chain.id()));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(relays.get(1).heldPart(chain.id()).inlets().getFirst().relay().key())
        .isEqualTo(relays.get(0).heldPart(chain.id()).outlets().getFirst().relay().key());
  }
}
