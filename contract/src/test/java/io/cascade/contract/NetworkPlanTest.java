package io.cascade.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteShare;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@NullUnmarked
class NetworkPlanTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final DescribedNetwork network =
      NetworkFile.read(Path.of("..", "docs", "examples", "network.json"), null);

  @Test
  void theExampleGoesThroughOregon() {
    Plan plan = plan("{'destination':'tokyo','bytes':1073741824}");

    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.relays()).containsExactly("oregon");
    assertThat(plan.plannedAt()).isEqualTo(NOW);
    assertThat(plan.destination()).isEqualTo("tokyo");
    assertThat(plan.candidates())
        .extracting(candidate -> candidate.kind())
        .contains(CandidateKind.DIRECT, CandidateKind.PARALLEL_DIRECT, CandidateKind.DIRECT_BBR);
  }

  @Test
  void requiredRelaysAreTaken() {
    assertThat(plan("{'destination':'tokyo','via':['frankfurt']}").relays())
        .containsExactly("frankfurt");
  }

  @Test
  void avoidedRelaysAreNotTaken() {
    assertThat(plan("{'destination':'tokyo','avoid':['oregon']}").candidates())
        .noneMatch(candidate -> candidate.relays().contains("oregon"));
  }

  @Test
  void theSourcesOwnCongestionControlIsTheDirectPaths() {
    assertThat(plan("{'destination':'tokyo','source':{'congestionControl':'bbr'}}").decision())
        .isEqualTo(Decision.DIRECT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "oslo | {'destination':'tokyo'} | --from: oslo (expected: one of frankfurt, oregon, tokyo, virginia)",
        "virginia | {'destination':'oslo'} | --to: oslo (expected: one of frankfurt, oregon, tokyo, virginia)",
        "virginia | {'destination':'tokyo','via':['oslo']} | --via: oslo (expected: one of frankfurt, oregon, tokyo, virginia)",
        "virginia | {'destination':'tokyo','avoid':['oslo']} | --avoid: oslo (expected: one of frankfurt, oregon, tokyo, virginia)",
        "virginia | {'destination':'virginia'} | destination: virginia (expected: another node than the source)",
      })
  void unknownNodesAreNamedWithThoseThatThereAre(String from, String request, String message) {
    assertThatThrownBy(() -> plan(from, request))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void severalRoutesTogetherAreShownAndNeverChosen() {
    Plan plan = plan("{'destination':'tokyo','bytes':1073741824,'paths':3}");

    Candidate together =
        plan.candidates().stream()
            .filter(candidate -> candidate.kind() == CandidateKind.MULTIPATH)
            .findFirst()
            .orElseThrow();
    assertThat(together.chosen()).isFalse();
    assertThat(together.basis()).contains("forward");
    assertThat(together.connections()).isEqualTo(together.shares().size());
    assertThat(together.shares().stream().mapToLong(RouteShare::bytes).sum()).isEqualTo(1L << 30);
    assertThat(together.seconds())
        .isLessThan(
            plan.candidates().stream()
                .filter(Candidate::chosen)
                .findFirst()
                .orElseThrow()
                .seconds());
    assertThat(plan.notes())
        .asString()
        .contains("routes together (via oregon ", "never chosen", "forward");
    assertThat(plan.candidates())
        .filteredOn(candidate -> candidate.seconds() != null)
        .isSortedAccordingTo(Comparator.comparingDouble(Candidate::seconds));
  }

  @Test
  void whereSeveralRoutesAreNoBetterThePlanSaysSo() {
    Plan plan = plan("{'destination':'tokyo','bytes':1000,'paths':2}");

    assertThat(plan.candidates())
        .noneMatch(candidate -> candidate.kind() == CandidateKind.MULTIPATH);
    assertThat(plan.notes()).asString().contains("Up to 2 routes together are no better");
  }

  @Test
  void aCongestionControlWithoutAModelIsRefused() {
    assertThatThrownBy(() -> plan("{'destination':'tokyo','congestionControl':'vegas'}"))
        .hasMessageStartingWith("--congestion-control: vegas (expected: ");
  }

  private Plan plan(String request) {
    return plan("virginia", request);
  }

  private Plan plan(String from, String request) {
    return NetworkPlan.of(
        network, from, Json.strict().readValue(request.replace('\'', '"'), PlanRequest.class), NOW);
  }
}
