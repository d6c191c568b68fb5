package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Event;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What relays hold is compared with what they are wanted to hold. */
@NullUnmarked
class PartInspectionTest {
  private Rig rig;

  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state);
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
                        + ": r2 still held a part that nobody wants, and gave it up"));
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
  void aPartThatIsMissingIsPutAgainLongBeforeItsLeaseIsDue() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    Chain chain = rig.client().open(Rig.request(List.of("r1", "r2"), null, 86_400, null), null);

    relays.get(1).forget(chain.id());

    await().until(() -> relays.get(1).has(chain.id()));
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    assertThat(relays.get(1).heldPart(chain.id()).hopInlet().key())
        .isEqualTo(relays.get(0).heldPart(chain.id()).hopOutlet().key());
  }
}
