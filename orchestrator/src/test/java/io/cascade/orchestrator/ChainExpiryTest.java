package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A chain that its client has to renew. */
@NullUnmarked
class ChainExpiryTest {
  private static final int SECONDS = 30;

  private final ManualTime time = ManualTime.running();
  private Rig rig;
  private FakeRelay relay;

  @BeforeEach
  void start(@TempDir Path state) {
    rig =
        Rig.start(
            state,
            settings ->
                settings
                    .withHeartbeat(Duration.ofMinutes(5)) // nobody is lost when time passes
                    .withClocks(time.clock(), time.nanos()));
    relay = rig.live("r1");
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void itIsClosedWhenNobodyRenewsItAndOthersStay() {
    Chain kept = open(null);
    Chain renewed = open(SECONDS);
    Chain left = open(SECONDS);
    time.pass(Duration.ofSeconds(SECONDS - 5));
    rig.client().renew(renewed.id());
    rig.client().renew(kept.id());
    time.pass(Duration.ofSeconds(6));

    await().until(() -> rig.state(left.id()) == ChainState.CLOSED);
    assertThat(rig.client().chain(left.id()).reason())
        .isEqualTo("its client did not renew it for 30 s, its time to live");
    assertThat(rig.state(renewed.id())).isEqualTo(ChainState.READY);
    assertThat(rig.state(kept.id())).isEqualTo(ChainState.READY);
    assertThat(relay.has(left.id())).isFalse();
    Rig.Response late = rig.call("POST", "/api/v1/chains/" + left.id() + "/renewal", null);
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.problem().detail()).contains("CLOSED; open another chain");
    UUID unknown = new UUID(1, 2);
    assertThat(rig.call("POST", "/api/v1/chains/" + unknown + "/renewal", null).status())
        .isEqualTo(404);

    time.pass(Duration.ofSeconds(SECONDS));
    await().until(() -> rig.state(renewed.id()) == ChainState.CLOSED);
    assertThat(rig.state(kept.id())).isEqualTo(ChainState.READY);
  }

  @Test
  void itsTimeBeginsAnewWithTheOrchestratorAndIgnoresTheTimeOfDay() {
    Chain chain = open(SECONDS);
    Chain probe = open(10);
    rig.stop();
    time.pass(Duration.ofHours(1));
    rig.startAgain();
    time.step(Duration.ofHours(1));
    time.pass(Duration.ofSeconds(11));

    await().until(() -> rig.state(probe.id()) == ChainState.CLOSED);
    assertThat(rig.state(chain.id())).isEqualTo(ChainState.READY);
    time.pass(Duration.ofSeconds(SECONDS));
    await().until(() -> rig.state(chain.id()) == ChainState.CLOSED);
  }

  private Chain open(@Nullable Integer timeToLive) {
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(Rig.DESTINATION)
                .via(List.of("r1"))
                .timeToLiveSeconds(timeToLive)
                .build(),
            null);
  }
}
