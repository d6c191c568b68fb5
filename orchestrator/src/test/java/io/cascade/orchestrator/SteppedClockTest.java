package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.AuditEntry;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.EventType;
import io.cascade.api.orchestrator.Invitation;
import io.cascade.api.orchestrator.InvitationRequest;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.api.orchestrator.Role;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody sets the time of day while the orchestrator runs, or while it does not. */
@NullUnmarked
class SteppedClockTest {
  private static final long TEN_YEARS = 315_360_000;

  private final ManualTime time = ManualTime.running();
  private Rig rig;
  private FakeRelay r1;

  @BeforeEach
  void start(@TempDir Path state) {
    rig =
        Rig.start(
            state,
            settings ->
                settings
                    .withToken("a-secret-of-some-length")
                    .withClocks(time.clock(), time.nanos()));
    r1 = rig.live("r1");
    rig.live("r2");
    r1.links.add(Rig.measured("r2", 100, 1, 20));
    await().until(() -> rig.client().links().links().size() == 1);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void nobodyIsLostAndNoMeasurementAges() {
    Chain chain = rig.openVia("r1", "r2");
    for (int hours : List.of(1, -2, 1)) {
      Instant seen = r2Seen();
      time.step(Duration.ofHours(hours));
      // Heard of twice since: in between somebody looked who is silent.
      await().until(() -> !r2Seen().equals(seen));
      Instant again = r2Seen();
      await().until(() -> !r2Seen().equals(again));

      assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
      Link link = rig.client().links().links().getFirst();
      assertThat(link.stale()).isFalse();
      assertThat(link.probesSent()).isGreaterThanOrEqualTo(100);
    }
    assertThat(rig.events()).noneMatch(event -> event.type() == EventType.RELAY_LOST);
  }

  @ParameterizedTest
  @ValueSource(longs = {-TEN_YEARS, TEN_YEARS})
  void aClockThatIsTenYearsOffEndsNothingAndRemovesNothing(long seconds) {
    NewApiKey lasting = made("alice", null);
    NewApiKey brief = made("bob", time.clock().instant().plus(Duration.ofHours(1)));
    rig.client().invite(new InvitationRequest("dave", Role.VIEWER, 900));
    Chain chain = rig.openVia("r1", "r2");
    List<Long> before = audited();

    time.step(Duration.ofSeconds(seconds));
    assertThatAllGoesOn(chain, lasting);
    rig.stop();
    rig.startAgain();
    assertThatAllGoesOn(chain, lasting);

    time.step(Duration.ofSeconds(-seconds));
    assertThat(as(brief).whoAmI().name()).isEqualTo("bob");
    assertThat(rig.client().invitations().invitations())
        .extracting(Invitation::name)
        .contains("dave");
    assertThat(audited()).containsAll(before);
    assertThat(rig.events()).noneMatch(event -> event.type() == EventType.RELAY_LOST);
  }

  /** Also what removes what has ended is done, since it is done when something is made. */
  private void assertThatAllGoesOn(Chain chain, NewApiKey lasting) {
    await().until(() -> rig.state(chain.id()) == ChainState.READY);
    Instant seen = r2Seen();
    await().until(() -> !r2Seen().equals(seen));
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
    assertThat(as(lasting).whoAmI().name()).isEqualTo("alice");
    made("carol", null);
    rig.client().invite(new InvitationRequest("erin", Role.VIEWER, 900));
    for (int i = 0; i < 100; i++) {
      rig.client().resetCorrections();
    }
    Chain other = rig.openVia("r1", "r2");
    assertThat(rig.state(other.id())).isEqualTo(ChainState.READY);
    rig.client().close(other.id(), true);
  }

  private List<Long> audited() {
    return rig.client().audit(null, 1_000).entries().stream().map(AuditEntry::id).toList();
  }

  private NewApiKey made(String name, @Nullable Instant end) {
    return rig.client().createKey(new ApiKeyRequest(name, Role.CLIENT, end));
  }

  private OrchestratorClient as(NewApiKey key) {
    return new OrchestratorClient(rig.address(), key.secret());
  }

  @Test
  void afterARestartMeasurementsOfTheFutureAreOfNow() {
    r1.stopBeating();
    rig.stop();
    time.step(Duration.ofHours(-1));
    rig.startAgain();
    Link restored = rig.client().links().links().getFirst();
    assertThat(restored.probesSent()).isGreaterThanOrEqualTo(100);
    assertThat(restored.updatedAt()).isBefore(time.clock().instant().plusSeconds(2));

    time.pass(Duration.ofMinutes(6));

    Link aged = rig.client().links().links().getFirst();
    assertThat(aged.stale()).isTrue();
    assertThat(aged.probesSent()).isZero();
  }

  @Test
  void anIdempotencyKeyIsKeptForADayThatPasses() {
    Chain chain = rig.client().open(Rig.via("r1", "r2"), "nightly");
    time.step(Duration.ofHours(25));
    assertThat(rig.client().open(Rig.via("r1", "r2"), "nightly").id()).isEqualTo(chain.id());
    time.step(Duration.ofHours(-50));
    assertThat(rig.client().open(Rig.via("r1", "r2"), "nightly").id()).isEqualTo(chain.id());
  }

  private Instant r2Seen() {
    return rig.client().relays().relays().getLast().lastSeenAt();
  }
}
