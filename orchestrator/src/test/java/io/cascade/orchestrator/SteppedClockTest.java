package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.EventType;
import io.cascade.api.orchestrator.Link;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody sets the time of day while the orchestrator runs, or while it does not. */
@NullUnmarked
class SteppedClockTest {
  private final ManualTime time = ManualTime.running();
  private Rig rig;
  private FakeRelay r1;

  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state, settings -> settings.withClocks(time.clock(), time.nanos()));
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
