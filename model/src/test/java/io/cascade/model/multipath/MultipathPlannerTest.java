package io.cascade.model.multipath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.multipath.MultipathPlan.Share;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.LinkTerms;
import io.cascade.model.planning.RelayTerms;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MultipathPlannerTest {

  private static final long BYTES = 200_000_000;

  private final MultipathPlanner planner = new MultipathPlanner();

  @Test
  void twoEqualRoutesHalveALongTransfer() {
    Topology topology = twoWays().build();
    RouteQuestion request = request().bytes(BYTES).build();
    RouteAnswer single = new RoutePlanner().plan(topology, request);

    MultipathPlan plan = planner.plan(topology, request, 2).orElseThrow();

    double alone =
        single
            .bestCascade()
            .orElseThrow()
            .prediction()
            .orElseThrow()
            .transferSeconds()
            .orElseThrow()
            .likely();
    assertThat(plan.seconds().orElseThrow()).isEqualTo(alone / 2, within(0.02 * alone));
    assertThat(plan.shares()).extracting(Share::bytes).containsExactly(BYTES / 2, BYTES / 2);
    assertThat(plan.shares())
        .extracting(share -> share.route().relays())
        .containsExactlyInAnyOrder(List.of("a"), List.of("b"));
  }

  @Test
  void theDirectPathMayBeOneOfThem() {
    Topology topology = twoWays().link("s", "d", link(80, 10)).build();

    MultipathPlan plan = planner.plan(topology, request().bytes(BYTES).build(), 3).orElseThrow();

    assertThat(plan.shares()).anyMatch(share -> share.route().isDirect());
  }

  @Test
  void aStreamGetsTheSumOfItsRoutes() {
    MultipathPlan plan = planner.plan(twoWays().build(), request().build(), 2).orElseThrow();

    assertThat(plan.seconds()).isEmpty();
    assertThat(plan.bitsPerSecond())
        .isEqualTo(plan.shares().stream().mapToDouble(Share::bitsPerSecond).sum());
    assertThat(plan.shares()).hasSize(2);
  }

  @Test
  void routesThatShareALinkShareWhatOneConnectionGetsThere() {
    Topology topology =
        Topology.builder()
            .link("s", "a", link(10, 20))
            .link("a", "b", link(10, 5))
            .link("a", "c", link(10, 5))
            .link("b", "d", link(10, 50))
            .link("c", "d", link(10, 50))
            .build();

    MultipathPlan plan = planner.plan(topology, request().build(), 2).orElseThrow();

    assertThat(plan.bitsPerSecond()).isLessThanOrEqualTo(20e6 * 0.95);
    assertThat(plan.shares())
        .allSatisfy(share -> {
          assertThat(share.hops().getFirst().routes()).isEqualTo(2);
          assertThat(share.hops().get(1).routes()).isEqualTo(1);
        });
  }

  @Test
  void whatARelayHasPromisedOthersIsNotGivenAgain() {
    Topology topology = twoWays().terms("b", RelayTerms.FREE.withFree(0)).build();

    assertThat(planner.plan(topology, request().build(), 2)).isEmpty();
  }

  @Test
  void whatALinkHasPromisedOthersIsNotGivenAgain() {
    Topology topology = twoWays().terms("s", "b", LinkTerms.USUAL.withFree(1e6)).build();

    MultipathPlan plan = planner.plan(topology, request().build(), 2).orElseThrow();

    assertThat(plan.shares().getLast().bitsPerSecond()).isLessThan(1e6);
  }

  @Test
  void avoidedRelaysAndForbiddenSitesAreNotUsed() {
    Topology topology = twoWays().terms("b", RelayTerms.FREE.at("paris")).build();

    assertThat(planner.plan(topology, request().avoid(Set.of("a")).build(), 2)).isEmpty();
    assertThat(planner.plan(topology, request().forbiddenSites(Set.of("paris")).build(), 2))
        .isEmpty();
    assertThat(planner.plan(topology, request().allowedSites(Set.of("paris")).build(), 2))
        .isEmpty();
  }

  @Test
  void noRouteHasMoreRelaysThanAllowed() {
    Topology topology = twoWays().link("a", "e", link(5, 50)).link("e", "b", link(5, 50)).build();

    for (int relays = 1; relays <= 3; relays++) {
      int most = relays;
      assertThat(
              planner.plan(topology, request().maxRelays(relays).build(), 4).orElseThrow().shares())
          .allSatisfy(share -> assertThat(share.route().relays()).hasSizeLessThanOrEqualTo(most));
    }
  }

  @Test
  void aShortTransferIsNotDivided() {
    Topology topology =
        Topology.builder()
            .link("s", "d", link(4, 50))
            .link("s", "a", link(100, 50))
            .link("a", "d", link(100, 50))
            .build();

    assertThat(planner.plan(topology, request().bytes(1000).build(), 2)).isEmpty();
  }

  @Test
  void whereNothingKnownLimitsARouteThereIsNothingToShare() {
    Topology topology =
        Topology.builder()
            .link("s", "d", uncapped(10))
            .link("s", "a", uncapped(10))
            .link("a", "d", uncapped(10))
            .build();
    RouteQuestion bbr =
        request().congestionControl(CongestionControl.BBR, CongestionControl.BBR).build();

    assertThat(planner.plan(topology, bbr, 2)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void sharesAddUpAndFinishTogetherNoLaterThanTheBestRouteAlone(long seed) {
    Random random = new Random(seed);
    Topology topology = mesh(random);
    long bytes = 1_000_000L * (1 + random.nextInt(1_000));
    RouteQuestion request = request().bytes(bytes).maxRelays(2).build();
    double single =
        new RoutePlanner()
            .plan(topology, request).candidates().stream()
                .filter(candidate -> candidate.connections() == 1)
                .filter(candidate ->
                    candidate.kind() == io.cascade.model.planning.Candidate.Kind.CASCADE
                        || candidate.kind() == io.cascade.model.planning.Candidate.Kind.DIRECT)
                .mapToDouble(candidate ->
                    candidate.prediction().orElseThrow().transferSeconds().orElseThrow().likely())
                .min()
                .orElseThrow();

    for (int paths = 2; paths <= 4; paths++) {
      int most = paths;
      planner
          .plan(topology, request, paths)
          .ifPresent(plan -> {
            assertThat(plan.shares()).hasSizeBetween(2, most);
            assertThat(plan.shares().stream().mapToLong(Share::bytes).sum()).isEqualTo(bytes);
            assertThat(plan.seconds().orElseThrow()).isLessThan(single * 1.02);
          });
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void furtherRoutesNeverMakeAStreamSlower(long seed) {
    Topology topology = mesh(new Random(seed));
    double before = 0;
    for (int paths = 2; paths <= 5; paths++) {
      double now =
          planner
              .plan(topology, request().maxRelays(2).build(), paths)
              .map(MultipathPlan::bitsPerSecond)
              .orElse(0.0);
      assertThat(now).isGreaterThanOrEqualTo(before * (1 - 1e-9));
      before = now;
    }
  }

  static List<Long> seeds() {
    return LongStream.range(0, 60).boxed().toList();
  }

  private static Topology mesh(Random random) {
    List<String> nodes = new ArrayList<>(List.of("s", "a", "b", "c", "d"));
    Topology.Builder builder = Topology.builder();
    for (String from : nodes) {
      for (String to : nodes) {
        if (!from.equals(to) && (random.nextInt(4) > 0 || (from.equals("s") && to.equals("d")))) {
          builder.link(
              from,
              to,
              LinkEstimate.of(
                      Duration.ofMillis(5 + random.nextInt(150)),
                      new LossEstimate(random.nextInt(40), 20_000))
                  .withCapacity(Rate.ofMegabits(5 + random.nextInt(100))));
        }
      }
    }
    return builder.build();
  }

  private static Topology.Builder twoWays() {
    return Topology.builder()
        .link("s", "a", link(20, 40))
        .link("a", "d", link(20, 40))
        .link("s", "b", link(20, 40))
        .link("b", "d", link(20, 40));
  }

  private static LinkEstimate uncapped(int millis) {
    return LinkEstimate.of(Duration.ofMillis(millis), new LossEstimate(0, 1_000_000));
  }

  private static LinkEstimate link(int millis, double megabits) {
    return uncapped(millis).withCapacity(Rate.ofMegabits(megabits));
  }

  private static RouteQuestion.Builder request() {
    return RouteQuestion.between("s", "d");
  }
}
