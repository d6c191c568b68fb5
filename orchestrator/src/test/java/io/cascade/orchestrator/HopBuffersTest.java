package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Relay;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Hops that the kernels at their ends hold back. From r1 to r2 it is 200 ms, relays carry 500
 * Mbit/s, and send with BBR, which would use nearly all of it.
 */
@NullUnmarked
class HopBuffersTest extends RigTest {
  private static final long GIB = 1L << 30;
  private static final long AMPLE = 64L << 20;
  private static final long MIB_4 = 4L << 20;

  @Test
  void nothingIsSaidWhereBuffersAreAmple() {
    relays(AMPLE, AMPLE);

    Plan plan = rig.client().plan(question(GIB));

    assertThat(plan.notes()).asString().doesNotContain("under way");
    assertThat(farHop(plan).bitsPerSecond()).isGreaterThan(400e6);
  }

  @Test
  void nothingIsSaidOfRelaysThatDoNotKnowTheirKernels() {
    relays(null, null);

    Plan plan = rig.client().plan(question(GIB));

    assertThat(plan.notes()).asString().doesNotContain("under way");
    assertThat(farHop(plan).bitsPerSecond()).isGreaterThan(400e6);
  }

  /** 2 MiB of data over 200 ms are 83.9 Mbit/s. */
  @Test
  void aSmallReceiveBufferBoundsThePlanAndIsNamedWithItsFix() {
    relays(AMPLE, MIB_4);

    Plan plan = rig.client().plan(question(GIB));

    assertThat(plan.notes())
        .asString()
        .contains("Hop r1 to r2 needs ", " under way for ", " over 200 ms")
        .contains(
            " and is planned with 83.9 Mbit/s: r2's kernel receives 2.1 MB; fix on r2: sysctl -w"
                + " net.ipv4.tcp_rmem=\"4096 131072 33554432\".")
        .doesNotContain("tcp_wmem");
    assertThat(farHop(plan).bitsPerSecond()).isEqualTo(MIB_4 / 2 * 8 / 0.2);
    assertThat(farHop(plan).basis()).contains("socket buffers 4194304 B");
  }

  @Test
  void aSmallSendBufferIsTheSendersToFix() {
    relays(MIB_4, AMPLE);

    assertThat(rig.client().plan(question(GIB)).notes())
        .asString()
        .contains(
            "r1's kernel sends 2.1 MB; fix on r1: sysctl -w net.ipv4.tcp_wmem=\"4096 16384"
                + " 33554432\".")
        .doesNotContain("tcp_rmem");
  }

  @Test
  void bothEndsAreNamedWhereBothAreTooSmall() {
    relays(MIB_4, MIB_4);

    assertThat(rig.client().plan(question(GIB)).notes())
        .asString()
        .containsOnlyOnce("Hop r1 to r2")
        .contains("r1's kernel sends", "; r2's kernel receives");
  }

  @Test
  void aTransferThatFitsIntoTheBuffersNeedsNoMore() {
    relays(MIB_4, MIB_4);

    assertThat(rig.client().plan(question(MIB_4 / 2)).notes())
        .asString()
        .doesNotContain("under way");
  }

  /** Its own send buffer counts; what the destination takes, nobody knows. */
  @Test
  void theLastHopLeavesFromARelayToo() {
    FakeRelay r2 = relays(AMPLE, AMPLE).getLast();
    r2.sendBufferBytes = 256L << 10;
    r2.register();

    assertThat(rig.client().plan(question(GIB)).notes())
        .asString()
        .contains("Hop r2 to destination needs", "fix on r2: sysctl -w net.ipv4.tcp_wmem=");
  }

  @Test
  void anOpenedChainKeepsWhatItsPlanSaid() {
    relays(AMPLE, MIB_4);

    Chain chain = rig.client().open(request(), null);

    assertThat(rig.client().chain(chain.id()).plan().notes()).asString().contains("fix on r2");
  }

  @Test
  void whatRelaysSaidOfTheirKernelsIsShownAndSurvivesARestart() {
    relays(AMPLE, MIB_4).forEach(FakeRelay::stopBeating);

    rig.stop();
    rig.startAgain();

    Relay shown = rig.client().relay("r2");
    assertThat(shown.sendBufferBytes()).isEqualTo(AMPLE);
    assertThat(shown.receiveBufferBytes()).isEqualTo(MIB_4);
  }

  /**
   * @param sends of r1; all that is not given is ample, or not known either
   * @param receives of r2
   */
  private List<FakeRelay> relays(@Nullable Long sends, @Nullable Long receives) {
    FakeRelay r1 = able("r1");
    r1.sendBufferBytes = sends;
    r1.receiveBufferBytes = sends == null ? null : (Long) AMPLE;
    r1.live();
    FakeRelay r2 = able("r2");
    r2.sendBufferBytes = receives == null ? null : (Long) AMPLE;
    r2.receiveBufferBytes = receives;
    r2.probe = request -> FakeRelay.reached(request, 0, 0, 20);
    r2.live();
    r1.links.add(Rig.measured("r2", 1_000_000, 0, 200));
    await().until(() -> rig.client().links().links().size() == 1);
    r1.links.clear();
    return List.of(r1, r2);
  }

  private FakeRelay able(String name) {
    FakeRelay relay = rig.relay(name);
    relay.capacityBitsPerSecond = 500_000_000L;
    relay.congestionControl = "bbr";
    return relay;
  }

  private static PlanRequest question(long bytes) {
    return PlanRequest.builder()
        .destination(Rig.DESTINATION)
        .bytes(bytes)
        .source(Rig.beside("r1"))
        .via(List.of("r1", "r2"))
        .build();
  }

  private static ChainRequest request() {
    return Rig.request(List.of("r1", "r2"), null, null, Rig.beside("r1"));
  }

  private static HopPrediction farHop(Plan plan) {
    Candidate cascade =
        plan.candidates().stream()
            .filter(candidate -> candidate.kind() == CandidateKind.CASCADE)
            .findFirst()
            .orElseThrow();
    return cascade.hops().stream().filter(hop -> hop.from().equals("r1")).findFirst().orElseThrow();
  }
}
