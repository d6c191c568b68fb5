package io.cascade.studies.topologies;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Round trips and throughputs between regions, for pairs that have both.
 *
 * @param roundTripMillis least round trip
 * @param megabitsPerSecond throughput of all connections of the test together
 */
public record CloudGrid(PairTable roundTripMillis, PairTable megabitsPerSecond) {

  /** Connections of each throughput test. */
  public static final int CONNECTIONS = 64;

  /** Drops pairs that have only one of the values. */
  public CloudGrid {
    roundTripMillis = roundTripMillis.within(megabitsPerSecond);
    megabitsPerSecond = megabitsPerSecond.within(roundTripMillis);
  }

  /** The published round trips with a table of throughputs. */
  public static CloudGrid published(PublishedTable throughput) {
    return new CloudGrid(PublishedTable.CLOUD_ROUND_TRIPS.read(), throughput.read());
  }

  /** An ordered pair of regions. */
  public record Pair(String from, String to) {
    @Override
    public String toString() {
      return from + " → " + to;
    }
  }

  /** Every pair, in alphabetical order. */
  public List<Pair> pairs() {
    List<Pair> pairs = new ArrayList<>();
    for (String from : regions()) {
      for (String to : new TreeSet<>(megabitsPerSecond.valuesFrom(from).keySet())) {
        pairs.add(new Pair(from, to));
      }
    }
    return pairs;
  }

  /** Every region, in alphabetical order. */
  public Set<String> regions() {
    return megabitsPerSecond.regions();
  }

  /** The grid without pairs that another grid lacks. */
  public CloudGrid within(CloudGrid other) {
    return new CloudGrid(roundTripMillis, megabitsPerSecond.within(other.megabitsPerSecond));
  }

  /**
   * The grid with measurement errors that are independent for each pair.
   *
   * @param roundTripError relative standard deviation, of a normal distribution of logarithms
   * @param throughputError relative standard deviation, of a normal distribution of logarithms
   */
  public CloudGrid withErrors(double roundTripError, double throughputError, long seed) {
    Random random = new Random(seed);
    return new CloudGrid(
        roundTripMillis.map(value -> value * Math.exp(roundTripError * random.nextGaussian())),
        megabitsPerSecond.map(value -> value * Math.exp(throughputError * random.nextGaussian())));
  }

  /** The throughput of one hop. */
  public double hopMegabits(String from, String to) {
    return megabitsPerSecond.value(from, to).orElseThrow();
  }

  /**
   * Rate that a cascade delivers: the least of its hops' throughputs. Each hop's throughput
   * includes the provider's limit on the sending rate of a host, which applied to the hop's sender.
   * It does not include that a relay receives and sends at the same time, nor a relay's processor
   * time.
   */
  public double megabits(List<String> route) {
    double least = Double.POSITIVE_INFINITY;
    for (int hop = 0; hop + 1 < route.size(); hop++) {
      least = Math.min(least, hopMegabits(route.get(hop), route.get(hop + 1)));
    }
    return least;
  }
}
