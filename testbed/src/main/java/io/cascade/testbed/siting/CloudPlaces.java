package io.cascade.testbed.siting;

import io.cascade.model.planning.Topology;
import io.cascade.siting.Demand;
import io.cascade.siting.Objective;
import io.cascade.siting.Site;
import io.cascade.siting.SitingRequest;
import io.cascade.testbed.topologies.CloudHosts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Candidates and twelve ends of traffic in published cloud regions drawn at random, every pair of
 * them with the links that {@link CloudHosts} has. Prices and demands are drawn, too: nobody
 * published those.
 */
final class CloudPlaces {

  private static final int ENDS = 12;

  private final Random random;
  private final CloudHosts hosts = new CloudHosts();

  private CloudPlaces(long seed) {
    random = new Random(seed);
  }

  /**
   * A question to the solver.
   *
   * @param sites how many candidates, no more than there are regions
   */
  static SitingRequest request(long seed, int sites, int demands, int mostSites, int maxRelays) {
    CloudPlaces places = new CloudPlaces(seed);
    List<String> siteRegions = places.draw(sites);
    List<String> endRegions = places.draw(ENDS);
    return SitingRequest.of(
            places.candidates(siteRegions),
            places.demands(endRegions, demands),
            places.links(siteRegions, endRegions),
            mostSites,
            Objective.GAIN)
        .withMaxRelays(maxRelays)
        .withTimeLimit(Duration.ofMinutes(1));
  }

  private List<String> draw(int count) {
    List<String> regions = new ArrayList<>(hosts.regions());
    Collections.shuffle(regions, random);
    return List.copyOf(regions.subList(0, count));
  }

  private List<Site> candidates(List<String> regions) {
    return regions.stream().map(region -> new Site(region, 10 + random.nextInt(90))).toList();
  }

  private List<Demand> demands(List<String> endRegions, int count) {
    List<Demand> demands = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int from = random.nextInt(ENDS);
      int to = (from + 1 + random.nextInt(ENDS - 1)) % ENDS;
      demands.add(
          Demand.transfer(
                  end(endRegions.get(from)),
                  end(endRegions.get(to)),
                  1L << (20 + random.nextInt(11)))
              .withWeight(1 + random.nextInt(5)));
    }
    return demands;
  }

  private Topology links(List<String> siteRegions, List<String> endRegions) {
    List<String> names = new ArrayList<>(siteRegions);
    List<String> regions = new ArrayList<>(siteRegions);
    endRegions.forEach(region -> names.add(end(region)));
    regions.addAll(endRegions);
    Topology.Builder links = Topology.builder();
    for (int from = 0; from < names.size(); from++) {
      for (int to = 0; to < names.size(); to++) {
        if (from != to) {
          links.link(
              names.get(from),
              names.get(to),
              hosts.link(regions.get(from), regions.get(to), random));
        }
      }
    }
    return links.build();
  }

  /** An end may stand in the region of a candidate, and is another host than its relay. */
  private static String end(String region) {
    return "end in " + region;
  }
}
