package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Chains that are opened at once, by what is stored of the way; relay r1 stands half-way. */
@NullUnmarked
class StoredAnswersTest extends RigTest {
  private static final long BYTES = 60_000_000L;
  private static final String ELSEWHERE = "192.0.2.9:5001";

  private FakeRelay relay;

  @BeforeEach
  void network() {
    relay = rig.relay("r1");
    relay.capacityBitsPerSecond = 100_000_000L;
    relay.probe = request -> FakeRelay.reached(request, 0, 0, 80);
    relay.live();
  }

  @Test
  void aChainIsOpenedByWhatItsClientHasMeasuredLast() {
    Plan plan = rig.client().plan(asked(lossy()));
    int probed = afterBothLooks();

    Chain chain = open(Rig.DESTINATION);

    assertThat(plan.relays()).containsExactly("r1");
    assertThat(chain.state()).isEqualTo(ChainState.READY);
    assertThat(chain.relays()).containsExactly("r1");
    assertThat(chain.plan().decision()).isIn(Decision.CASCADE, Decision.UNDECIDED);
    assertThat(relay.probes).hasSize(probed);
  }

  @Test
  void nobodyLooksAtADestinationOfWhichNothingIsStored() {
    Plan _ = rig.client().plan(asked(lossy()));
    int probed = afterBothLooks();

    assertThatThrownBy(() -> open(ELSEWHERE))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("nothing is stored of the way")
        .hasMessageContaining(ELSEWHERE);
    assertThatThrownBy(() -> open(ELSEWHERE, lossy()))
        .as("of which the client alone knows")
        .isInstanceOf(ProblemException.class);
    assertThat(relay.probes).hasSize(probed);
  }

  @Test
  void noChainIsOpenedWhereThePlanRulesRelaysOut() {
    Plan plan = rig.client().plan(asked(beside()));

    assertThat(plan.decision()).isIn(Decision.DIRECT, Decision.EQUAL);
    assertThatThrownBy(() -> open(Rig.DESTINATION))
        .isInstanceOfSatisfying(
            ProblemException.class, refused -> assertThat(refused.type()).endsWith("not-better"));
  }

  /** A plan does not wait for its relays' second looks. */
  private int afterBothLooks() {
    await().until(() -> relay.probes.size() == 2);
    return 2;
  }

  private Chain open(String destination) {
    return open(destination, null);
  }

  private Chain open(String destination, Source source) {
    PlanRequest stored =
        PlanRequest.builder()
            .destination(destination)
            .bytes(BYTES)
            .source(source)
            .measureSeconds(0.0)
            .trial(true)
            .stored(true)
            .build();
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(destination)
                .bytes(BYTES)
                .source(source)
                .question(stored)
                .build(),
            null);
  }

  private static PlanRequest asked(Source source) {
    return PlanRequest.builder()
        .destination(Rig.DESTINATION)
        .bytes(BYTES)
        .source(source)
        .measureSeconds(0.0)
        .trial(true)
        .build();
  }

  private static Source lossy() {
    return source(
        Observation.builder()
            .to("destination")
            .sent(20_000L)
            .lost(400L)
            .rttMillis(160.0)
            .deliveredBitsPerSecond(2e6)
            .build(),
        Observation.builder()
            .to("r1")
            .sent(20_000L)
            .lost(1L)
            .rttMillis(80.0)
            .deliveredBitsPerSecond(50e6)
            .build());
  }

  /** Without losses, and the relay is a detour. */
  private static Source beside() {
    return source(
        Observation.builder()
            .to("destination")
            .sent(20_000L)
            .lost(0L)
            .rttMillis(10.0)
            .deliveredBitsPerSecond(90e6)
            .build(),
        Observation.builder()
            .to("r1")
            .sent(20_000L)
            .lost(100L)
            .rttMillis(80.0)
            .deliveredBitsPerSecond(5e6)
            .build());
  }

  private static Source source(Observation... observations) {
    return Source.builder().observations(List.of(observations)).congestionControl("cubic").build();
  }
}
