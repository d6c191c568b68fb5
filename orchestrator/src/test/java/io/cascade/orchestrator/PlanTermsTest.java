package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Exclusion;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanObjective;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RouteLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The terms on which relays may be used, and what open chains leave of them. */
@NullUnmarked
class PlanTermsTest {
  private static final long GIB = 1L << 30;

  @TempDir private Path state;

  @Test
  void relaysAtForbiddenSitesAreNamedAndNotUsed() {
    try (Rig rig = rig(1_000_000L, UnaryOperator.identity())) {
      Plan plan =
          rig.client()
              .plan(
                  question(null, RouteLimits.builder().forbiddenSites(List.of("berlin")).build()));

      assertThat(plan.candidates()).noneMatch(one -> one.kind() == CandidateKind.CASCADE);
      assertThat(plan.excluded())
          .extracting(Exclusion::relay)
          .containsExactlyInAnyOrder("r1", "r2");
      assertThat(plan.excluded()).allMatch(one -> one.reason().contains("berlin"));
    }
  }

  @Test
  void theFrontOfTimeAndPriceComesOnDemand() {
    try (Rig rig = rig(1_000_000L, UnaryOperator.identity())) {
      assertThat(rig.client().plan(question(null, null)).front()).isNull();
      Plan plan = rig.client().plan(question(PlanObjective.TIME_AND_PRICE, null));

      assertThat(plan.front()).isNotEmpty();
      assertThat(plan.relayValues()).isNotEmpty();
      assertThat(plan.relayValues().getFirst().relays()).isEqualTo(1);
      assertThat(plan.probabilityCascadeWins()).isBetween(0.0, 1.0);
    }
  }

  @Test
  void whatAnOpenChainWasPromisedIsNotPlannedAgain() {
    try (Rig rig = rig(1_000_000L, UnaryOperator.identity())) {
      double before = cascade(rig.client().plan(question(null, null)), "r1", "r2").bitsPerSecond();
      Chain chain = rig.client().open(request(List.of("r1", "r2")), null);
      double promised = cascade(chain.plan(), "r1", "r2").bitsPerSecond();

      assertThat(promised).isPositive();
      Plan plan = rig.client().plan(question(null, null));
      assertThat(
              plan.candidates().stream()
                  .filter(one -> one.relays().contains("r1"))
                  .mapToDouble(one -> one.bitsPerSecond() == null ? 0 : one.bitsPerSecond())
                  .max()
                  .orElse(0))
          .isLessThanOrEqualTo(1e6 - promised + 1);

      rig.client().close(chain.id(), false);
      assertThat(cascade(rig.client().plan(question(null, null)), "r1", "r2").bitsPerSecond())
          .isEqualTo(before);
    }
  }

  @Test
  void anExploringOrchestratorSaysThatItExplores() {
    try (Rig rig = rig(null, settings -> settings.withExplore(1))) {
      Chain chain = rig.client().open(request(null), null);

      assertThat(chain.plan().notes()).asString().contains("Explored: the chain goes via");
      assertThat(chain.relays()).isNotEqualTo(chain.plan().relays());
      assertThat(rig.client().plan(question(null, null)).notes())
          .asString()
          .doesNotContain("Explored");
    }
  }

  /** Two relays; r1, the slower one, may say what it carries, and then the other one does. */
  private Rig rig(@Nullable Long capacity, UnaryOperator<RigSettings> change) {
    Rig rig = Rig.start(state, change);
    FakeRelay r1 = rig.relay("r1");
    r1.capacityBitsPerSecond = capacity;
    r1.live();
    FakeRelay r2 = rig.relay("r2");
    r2.capacityBitsPerSecond = capacity == null ? null : (Long) 1_000_000_000L;
    r2.live();
    r1.links.add(Rig.measured("r2", 10_000, 5, 60));
    r2.links.add(Rig.measured("r1", 10_000, 5, 60));
    await().until(() -> rig.client().links().links().size() == 2);
    r1.links.clear();
    r2.links.clear();
    return rig;
  }

  private static PlanRequest question(
      @Nullable PlanObjective objective, @Nullable RouteLimits limits) {
    return PlanRequest.builder()
        .destination(Rig.DESTINATION)
        .bytes(GIB)
        .source(Rig.beside("r1"))
        .objective(objective)
        .limits(limits)
        .build();
  }

  private static ChainRequest request(@Nullable List<String> via) {
    return ChainRequest.builder()
        .destination(Rig.DESTINATION)
        .via(via)
        .bytes(GIB)
        .source(Rig.beside("r1"))
        .build();
  }

  private static Candidate cascade(Plan plan, String... relays) {
    return plan.candidates().stream()
        .filter(candidate -> candidate.kind() == CandidateKind.CASCADE)
        .filter(candidate -> candidate.relays().equals(List.of(relays)))
        .findFirst()
        .orElseThrow();
  }
}
