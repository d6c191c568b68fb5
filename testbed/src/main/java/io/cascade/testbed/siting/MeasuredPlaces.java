package io.cascade.testbed.siting;

import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.Topology;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import io.cascade.siting.Demand;
import io.cascade.siting.Objective;
import io.cascade.siting.Site;
import io.cascade.siting.SitingRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Candidates and twelve ends of traffic on a plane 200 ms wide, every pair measured: round trips
 * stretched by up to two, loss growing with distance, 50 Mbit/s to 1 Gbit/s.
 */
final class MeasuredPlaces {

  private static final int ENDS = 12;
  private static final long SENT = 100_000;

  private MeasuredPlaces() {}

  static SitingRequest request(long seed, int sites, int demands, int mostSites, int maxRelays) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> names = new ArrayList<>();
    List<Site> candidates = new ArrayList<>();
    for (int i = 0; i < sites; i++) {
      names.add("site" + i);
      candidates.add(new Site("site" + i, 10 + random.nextInt(90)));
    }
    for (int i = 0; i < ENDS; i++) {
      names.add("end" + i);
    }
    double[][] places = new double[names.size()][];
    for (int i = 0; i < places.length; i++) {
      places[i] = new double[] {random.nextDouble(), random.nextDouble()};
    }
    Topology.Builder links = Topology.builder();
    for (int from = 0; from < places.length; from++) {
      for (int to = 0; to < places.length; to++) {
        if (from != to) {
          links.link(names.get(from), names.get(to), link(random, places[from], places[to]));
        }
      }
    }
    List<Demand> wanted = new ArrayList<>();
    for (int i = 0; i < demands; i++) {
      int from = random.nextInt(ENDS);
      int to = (from + 1 + random.nextInt(ENDS - 1)) % ENDS;
      wanted.add(
          Demand.transfer("end" + from, "end" + to, 1L << (20 + random.nextInt(11)))
              .withWeight(1 + random.nextInt(5)));
    }
    return SitingRequest.of(candidates, wanted, links.build(), mostSites, Objective.GAIN)
        .withMaxRelays(maxRelays)
        .withTimeLimit(Duration.ofMinutes(1));
  }

  private static LinkEstimate link(SplittableRandom random, double[] from, double[] to) {
    double distance = Math.hypot(from[0] - to[0], from[1] - to[1]);
    double rttMillis = 2 + 200 * distance * (1 + random.nextDouble());
    double loss = 1e-5 + 2e-3 * distance * random.nextDouble() * random.nextDouble();
    return LinkEstimate.of(
            Duration.ofNanos(Math.round(1e6 * rttMillis)),
            new LossEstimate(Math.round(loss * SENT), SENT))
        .withCapacity(Rate.ofMegabits(50 + random.nextInt(950)));
  }
}
