package io.cascade.client.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RouteShare;
import io.cascade.api.orchestrator.TransportChoice;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class InstallCommandTest {
  @Test
  void routesBetweenTwoRelaysArePipesOfAChain() {
    assertThat(InstallCommand.of(routes("a b z", "a z"), "bbr", TransportChoice.CODED))
        .containsExactly(
            "To install these routes:",
            "  ./cascade open --to h:90 --pipe a,b,z --pipe a,z --congestion-control bbr"
                + " --transport coded");
  }

  @Test
  void routesThatDoNotMeetAtRelaysMeetBesideTheHosts() {
    assertThat(InstallCommand.of(routes("a b", "c"), null, null))
        .containsExactly(
            "To install these routes, beside the destination and then here:",
            "  ./cascade forward --accept 7500 --to h:90 --key-file forward.key",
            "  ./cascade forward --listen 90 --to h:7500 --key-file forward.key --via a,b --via c"
                + " --no-direct");
    assertThat(InstallCommand.of(routes("a", ""), null, null).getLast())
        .endsWith("--via a")
        .doesNotContain("direct");
  }

  @Test
  void moreRoutesThanForwardHasChainsAreNamedAsSuch() {
    assertThat(InstallCommand.of(routes("a", "b", "c", "d", ""), null, null)).hasSize(3);
    assertThat(InstallCommand.of(routes("a", "b", "c", "d", "e"), null, null))
        .singleElement()
        .asString()
        .endsWith("plan with --paths 4");
  }

  @Test
  void oneRouteIsAChainWithWhatThePlanHasOfItsHops() {
    Candidate chosen =
        candidate(
            CandidateKind.CASCADE,
            true,
            List.of("a", "b"),
            List.of(
                hop("source", "a", null, null),
                hop("a", "b", "reno", TransportChoice.CODED),
                hop("b", "destination", "reno", null)),
            null);

    assertThat(InstallCommand.of(plan(chosen), null, TransportChoice.AUTO).getLast())
        .isEqualTo(
            "  ./cascade open --to h:90 --via a,b"
                + " --hop 0:congestion-control=bbr,transport=coded --hop 1:congestion-control=bbr");
    assertThat(InstallCommand.of(plan(chosen), null, TransportChoice.CODED).getLast())
        .contains(" --transport coded ")
        .doesNotContain("transport=");
  }

  @Test
  void thereIsNothingToInstallWhereThePlanIsToGoDirectly() {
    Candidate direct = candidate(CandidateKind.DIRECT, true, List.of(), List.of(), null);
    Candidate cascade = candidate(CandidateKind.CASCADE, false, List.of("a"), List.of(), null);

    assertThat(InstallCommand.of(plan(direct, cascade), "bbr", null)).isEmpty();
  }

  /** Each by its relays; an empty text is the direct path. */
  private static Plan routes(String... routes) {
    return plan(
        candidate(
            CandidateKind.MULTIPATH,
            false,
            List.of(),
            List.of(),
            Arrays.stream(routes)
                .map(route -> route.isEmpty() ? List.<String>of() : List.of(route.split(" ", -1)))
                .map(relays ->
                    RouteShare.builder()
                        .relays(relays)
                        .share(0.5)
                        .bitsPerSecond(1e6)
                        .hops(List.of())
                        .build())
                .toList()));
  }

  private static HopPrediction hop(
      String from, String to, @Nullable String usual, @Nullable TransportChoice transport) {
    return HopPrediction.builder()
        .from(from)
        .to(to)
        .congestionControl("bbr")
        .bottleneck(false)
        .basis("")
        .transport(transport)
        .usualCongestionControl(usual)
        .build();
  }

  private static Candidate candidate(
      CandidateKind kind,
      boolean chosen,
      List<String> relays,
      List<HopPrediction> hops,
      @Nullable List<RouteShare> shares) {
    return Candidate.builder()
        .kind(kind)
        .relays(relays)
        .chosen(chosen)
        .hops(hops)
        .shares(shares)
        .build();
  }

  private static Plan plan(Candidate... candidates) {
    return Plan.builder()
        .destination("h:90")
        .decision(Decision.CASCADE)
        .summary("")
        .plannedAt(Instant.EPOCH)
        .candidates(List.of(candidates))
        .notes(List.of())
        .build();
  }
}
