package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a plan may and may not change with, over random networks. */
class PlanSymmetriesTest {

  private static final int NETWORKS = 200;

  private final RoutePlanner planner = new RoutePlanner();

  @Test
  void otherNamesForTheRelaysChangeNothingElse() {
    RandomNetworks random = new RandomNetworks(31);
    Random shuffle = new Random(31);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      RouteQuestion request = random.request();
      Map<String, String> names = new HashMap<>();
      List<String> relays = new ArrayList<>(topology.nodes());
      relays.removeAll(List.of("s", "d"));
      List<String> others = new ArrayList<>(relays.stream().map(name -> "x" + name).toList());
      Collections.shuffle(others, shuffle);
      for (int k = 0; k < relays.size(); k++) {
        names.put(relays.get(k), others.get(k));
      }
      RouteAnswer plan = planner.plan(topology, request);
      RouteAnswer renamed =
          planner.plan(
              copy(topology, name -> names.getOrDefault(name, name), UnaryOperator.identity()),
              request);

      assertThat(renamed.decision()).isEqualTo(plan.decision());
      assertThat(renamed.gain()).isEqualTo(plan.gain());
      assertThat(renamed.probabilityCascadeWins()).isEqualTo(plan.probabilityCascadeWins());
      assertThat(renamed.route().relays())
          .isEqualTo(
              plan.route().relays().stream().map(name -> names.getOrDefault(name, name)).toList());
    }
  }

  @Test
  void oneRelayMoreNeverHurts() {
    RandomNetworks random = new RandomNetworks(32);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      RouteQuestion request = random.request();
      Topology.Builder more = builder(topology, UnaryOperator.identity(), UnaryOperator.identity());
      more.link("s", "new", random.link()).link("new", "d", random.link());
      if (topology.nodes().contains("r0")) {
        more.link("new", "r0", random.link());
      }
      assertThat(least(planner.plan(more.build(), request)))
          .isLessThanOrEqualTo(least(planner.plan(topology, request)) * (1 + 1e-9));
    }
  }

  @Test
  void leaveToUseMoreRelaysNeverHurts() {
    RandomNetworks random = new RandomNetworks(33);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      double before = Double.POSITIVE_INFINITY;
      for (int relays = 1; relays <= 4; relays++) {
        RouteQuestion request =
            RouteQuestion.between("s", "d").bytes(5_000_000).maxRelays(relays).build();
        double here = least(planner.plan(topology, request));
        assertThat(here).isLessThanOrEqualTo(before);
        before = here;
      }
    }
  }

  @Test
  void moreBytesTakeLonger() {
    RandomNetworks random = new RandomNetworks(34);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      double before = 0;
      for (long bytes = 1000; bytes <= 1_000_000_000; bytes *= 100) {
        double here =
            least(planner.plan(topology, RouteQuestion.between("s", "d").bytes(bytes).build()));
        assertThat(here).isGreaterThan(before * (1 - 1e-3));
        before = here;
      }
    }
  }

  /**
   * Reno knows no second on short paths: three times all times at a third of all rates is the same
   * plan. On long ones it knows the least timeout.
   */
  @Test
  void thePlanDoesNotDependOnTheUnitOfTime() {
    RandomNetworks random = new RandomNetworks(35);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = stretched(random.topology(), 0.01);
      RouteQuestion request =
          RouteQuestion.between("s", "d")
              .bytes(20_000_000)
              .congestionControl(CongestionControl.RENO, CongestionControl.RENO)
              .build();
      Topology slow = stretched(topology, 3);
      RouteAnswer plan = planner.plan(topology, request);
      RouteAnswer slower = planner.plan(slow, request);
      assertThat(least(slower)).isCloseTo(3 * least(plan), within(1e-6 * least(plan)));
      assertThat(slower.decision()).isEqualTo(plan.decision());
    }
  }

  private static Topology stretched(Topology topology, double factor) {
    return copy(
        topology,
        UnaryOperator.identity(),
        link ->
            new LinkEstimate(
                Duration.ofNanos(Math.round(link.rtt().toNanos() * factor)),
                link.loss(),
                link.capacity() instanceof Capacity.Known(double rate, _)
                    ? new Capacity.Known(rate / factor)
                    : link.capacity()));
  }

  @Test
  void lessOfARelayLeftNeverMakesABetterPlan() {
    RandomNetworks random = new RandomNetworks(36);
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = random.topology();
      RouteQuestion request = random.request();
      double before = 0;
      for (Rate free :
          List.of(Rate.ofMegabits(1000), Rate.ofMegabits(5), Rate.ofMegabits(0.5), new Rate(0))) {
        Topology promised =
            builder(topology, UnaryOperator.identity(), UnaryOperator.identity())
                .terms("r0", RelayTerms.FREE.withFree(free.bitsPerSecond()))
                .build();
        double here = least(planner.plan(promised, request));
        assertThat(here).isGreaterThanOrEqualTo(before * (1 - 1e-9));
        before = here;
      }
    }
  }

  /** The likely cost of the best there is, direct or not. */
  private static double least(RouteAnswer plan) {
    return plan.candidates().stream()
        .filter(candidate ->
            candidate.kind() == Candidate.Kind.CASCADE || candidate.kind() == Candidate.Kind.DIRECT)
        .mapToDouble(Candidate::likelyCost)
        .min()
        .orElseThrow();
  }

  private static Topology copy(
      Topology topology, UnaryOperator<String> name, UnaryOperator<LinkEstimate> estimate) {
    return builder(topology, name, estimate).build();
  }

  private static Topology.Builder builder(
      Topology topology, UnaryOperator<String> name, UnaryOperator<LinkEstimate> estimate) {
    Topology.Builder builder = Topology.builder();
    for (NodePath link : RandomNetworks.links(topology)) {
      String from = link.nodes().getFirst();
      String to = link.nodes().getLast();
      builder.link(
          name.apply(from), name.apply(to), estimate.apply(topology.link(from, to).orElseThrow()));
    }
    return builder;
  }
}
