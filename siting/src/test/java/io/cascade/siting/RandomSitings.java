package io.cascade.siting;

import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.Topology;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Places on a plane, links whose round trip and loss grow with distance, transfers between them.
 */
final class RandomSitings {

  private static final double SECONDS_ACROSS = 0.2;

  private RandomSitings() {}

  /** Demands are between ends of their own; {@code measured} is the share of links that exist. */
  static SitingRequest request(
      SplittableRandom random,
      int sites,
      int demands,
      int mostSites,
      double measured,
      Objective objective) {
    List<Site> candidates = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 0; i < sites; i++) {
      candidates.add(new Site("s" + i, Math.round(10 + 90 * random.nextDouble())));
      names.add("s" + i);
    }
    int ends = Math.max(2, Math.min(2 * demands, 12));
    for (int i = 0; i < ends; i++) {
      names.add("e" + i);
    }
    double[][] places = new double[names.size()][];
    for (int i = 0; i < places.length; i++) {
      places[i] = new double[] {random.nextDouble(), random.nextDouble()};
    }
    Topology.Builder links = Topology.builder();
    for (int from = 0; from < places.length; from++) {
      for (int to = 0; to < places.length; to++) {
        boolean direct = from >= sites && to >= sites;
        if (from != to && (direct || random.nextDouble() < measured)) {
          links.link(names.get(from), names.get(to), link(random, places[from], places[to]));
        }
      }
    }
    List<Demand> wanted = new ArrayList<>();
    for (int i = 0; i < demands; i++) {
      int from = random.nextInt(ends);
      int to = (from + 1 + random.nextInt(ends - 1)) % ends;
      long bytes = 1L << (20 + random.nextInt(11));
      Demand demand =
          objective == Objective.TIME || random.nextBoolean()
              ? Demands.transfer("e" + from, "e" + to, bytes)
              : Demands.stream("e" + from, "e" + to);
      wanted.add(Demands.weighted(demand, 1 + random.nextInt(5)));
    }
    return SitingRequest.of(candidates, wanted, links.build(), mostSites, objective);
  }

  private static LinkEstimate link(SplittableRandom random, double[] from, double[] to) {
    double distance = Math.hypot(from[0] - to[0], from[1] - to[1]);
    double stretch = 1 + random.nextDouble();
    double rttSeconds = 0.002 + SECONDS_ACROSS * distance * stretch;
    double loss = 1e-5 + 2e-3 * distance * random.nextDouble() * random.nextDouble();
    long sent = 100_000;
    return LinkEstimate.of(
            Duration.ofNanos(Math.round(rttSeconds * 1e9)),
            new LossEstimate(Math.round(loss * sent), sent))
        .withCapacity(Rate.ofMegabits(50 + random.nextInt(950)));
  }
}
