package io.cascade.siting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.cascade.Cascade;
import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.RelayDiscipline;
import io.cascade.model.planning.LinkEstimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against every subset of sites, with every chain scored on its own, without any pruning. */
class SitePlannerBruteForceTest {

  private static final int INSTANCES_PER_SEED = 40;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noSubsetOfSitesAchievesMore(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int instance = 0; instance < INSTANCES_PER_SEED; instance++) {
      Objective objective = random.nextBoolean() ? Objective.TIME : Objective.GAIN;
      SitingRequest request =
          RandomSitings.request(
                  random,
                  3 + random.nextInt(5),
                  1 + random.nextInt(5),
                  1 + random.nextInt(4),
                  0.3 + 0.7 * random.nextDouble(),
                  objective)
              .withMaxRelays(1 + random.nextInt(3));
      if (random.nextBoolean()) {
        request = request.withBudget(20 + 200 * random.nextDouble());
      }

      Siting siting = new SitePlanner().exact(request);

      double best = bestOfAllSubsets(request);
      assertThat(siting.proven()).isTrue();
      assertThat(siting.outcome().gain())
          .as("instance %d of seed %d", instance, seed)
          .isCloseTo(best, within(1e-7 * Math.max(1e-3, best)));
      assertThat(siting.greedy().gain()).isLessThanOrEqualTo(best * (1 + 1e-12));
      if (request.maxRelays() == 1 && request.budget().isEmpty()) {
        assertThat(siting.greedy().gain()).isGreaterThanOrEqualTo((1 - 1 / Math.E) * best);
      }
    }
  }

  private static double bestOfAllSubsets(SitingRequest request) {
    List<Site> sites = request.sites();
    double best = 0;
    for (int subset = 0; subset < 1 << sites.size(); subset++) {
      List<String> rented = new ArrayList<>();
      double price = 0;
      for (int i = 0; i < sites.size(); i++) {
        if ((subset & 1 << i) != 0) {
          rented.add(sites.get(i).name());
          price += sites.get(i).price();
        }
      }
      if (rented.size() <= request.mostSites()
          && price <= request.budget().orElse(Double.POSITIVE_INFINITY)) {
        double gain = 0;
        for (Demand demand : request.demands()) {
          gain += gain(request, demand, rented);
        }
        best = Math.max(best, gain);
      }
    }
    return best;
  }

  private static double gain(SitingRequest request, Demand demand, List<String> rented) {
    double direct = cost(request, demand, List.of());
    double least = Math.min(direct, leastCost(request, demand, rented, new ArrayList<>()));
    return demand.weight()
        * (request.objective() == Objective.TIME ? direct - least : direct / least - 1);
  }

  private static double leastCost(
      SitingRequest request, Demand demand, List<String> rented, List<String> chain) {
    double least = chain.isEmpty() ? Double.POSITIVE_INFINITY : cost(request, demand, chain);
    if (chain.size() < request.maxRelays()) {
      for (String site : rented) {
        if (!chain.contains(site)) {
          chain.add(site);
          least = Math.min(least, leastCost(request, demand, rented, chain));
          chain.removeLast();
        }
      }
    }
    return least;
  }

  private static double cost(SitingRequest request, Demand demand, List<String> relays) {
    List<String> nodes = new ArrayList<>(relays);
    nodes.addFirst(demand.from());
    nodes.addLast(demand.to());
    Hop[] hops = new Hop[nodes.size() - 1];
    for (int i = 0; i < hops.length; i++) {
      LinkEstimate link = request.links().link(nodes.get(i), nodes.get(i + 1)).orElse(null);
      if (link == null) {
        return Double.POSITIVE_INFINITY;
      }
      hops[i] =
          new Hop(
              link.rtt().toNanos() / 1e9,
              link.loss().likely(),
              link.capacity().known(),
              request.framing(),
              relays.isEmpty() ? request.directControl().model() : request.hopControl().model(),
              OptionalLong.empty());
    }
    Cascade cascade =
        new Cascade(Arrays.asList(hops), request.setup(), RelayDiscipline.CUT_THROUGH, 0, 10);
    return demand.bytes().isPresent()
        ? cascade.deliver(demand.bytes().getAsLong()).totalSeconds()
        : 1 / cascade.steadyBitsPerSecond();
  }
}
