package io.cascade.orchestrator.chains;

import static io.cascade.orchestrator.chains.LastingGainTest.candidate;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProxyRouteTest {
  private static final List<String> ALONE = List.of("edge");

  @Test
  void aBestRouteOfSeveralRelaysIsTaken() {
    assertThat(ProxyRoute.of(plan(50.0, 60.0), List.of("edge", "far")))
        .containsExactly("edge", "far");
    assertThat(ProxyRoute.of(plan(50.0, 60.0), List.of())).isEmpty();
  }

  @Test
  void whereTheRelayAloneWouldDoBestTheQuickestOfSeveralRelaysIs() {
    assertThat(ProxyRoute.of(plan(50.0, 60.0), ALONE)).containsExactly("edge", "far");
  }

  @Test
  void oneThatGainsTooLittleIsNot() {
    assertThat(ProxyRoute.of(plan(10.9, 10.5), ALONE)).isEqualTo(ALONE);
  }

  private static Plan plan(double middle, double far) {
    return LastingGainTest.plan(
        candidate(CandidateKind.DIRECT, List.of(), 10.0),
        candidate(CandidateKind.CASCADE, ALONE, 90.0),
        candidate(CandidateKind.CASCADE, List.of("edge", "middle"), middle),
        candidate(CandidateKind.CASCADE, List.of("edge", "far"), far));
  }
}
