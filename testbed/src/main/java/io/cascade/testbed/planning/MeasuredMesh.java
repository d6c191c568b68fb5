package io.cascade.testbed.planning;

import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.Topology;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.Random;

/**
 * A network like a measured one, reproducible: relays at random places of a square 200 ms of round
 * trip wide, round trips by distance with detours of up to a half, losses counted among 10 000
 * packets, capacities of 50 to 1000 Mbit/s. Source and destination stand in opposite corners.
 */
final class MeasuredMesh {

  static final String SOURCE = "source";
  static final String DESTINATION = "destination";

  private static final double WIDTH_MILLIS = 200;
  private static final int PROBES = 10_000;

  private final Random random = new Random(1);
  private final String[] names;
  private final double[] east;
  private final double[] north;

  private MeasuredMesh(int relays) {
    names = new String[relays + 2];
    east = new double[relays + 2];
    north = new double[relays + 2];
    for (int node = 0; node < names.length; node++) {
      names[node] = node == 0 ? SOURCE : node == 1 ? DESTINATION : "relay-" + (node - 1);
      east[node] = node == 0 ? 0.05 : node == 1 ? 0.95 : random.nextDouble();
      north[node] = node == 0 ? 0.1 : node == 1 ? 0.9 : random.nextDouble();
    }
  }

  /**
   * Every relay with links to {@code linksEach} others chosen at random, all if there are no more;
   * source and destination to and from as many.
   */
  static Topology of(int relays, int linksEach) {
    MeasuredMesh mesh = new MeasuredMesh(relays);
    Topology.Builder builder = Topology.builder();
    builder.link(SOURCE, DESTINATION, mesh.link(0, 1));
    for (int from = 0; from < mesh.names.length; from++) {
      if (from != 1) {
        mesh.addLinks(builder, from, linksEach);
      }
    }
    return builder.build();
  }

  private void addLinks(Topology.Builder builder, int from, int linksEach) {
    int relays = names.length - 2;
    if (linksEach >= relays - 1) {
      for (int to = 1; to < names.length; to++) {
        if (to != from && !(from == 0 && to == 1)) {
          builder.link(names[from], names[to], link(from, to));
        }
      }
      return;
    }
    random
        .ints(2, names.length)
        .filter(to -> to != from)
        .distinct()
        .limit(linksEach)
        .forEach(to -> builder.link(names[from], names[to], link(from, to)));
    // As many links into the destination as out of any node.
    if (from > 0 && random.nextInt(relays) < linksEach) {
      builder.link(names[from], names[1], link(from, 1));
    }
  }

  private LinkEstimate link(int from, int to) {
    double distance = Math.hypot(east[from] - east[to], north[from] - north[to]);
    double millis = 1 + WIDTH_MILLIS * distance * (1 + random.nextDouble() / 2);
    long lost = (long) Math.min(PROBES, random.nextDouble() * 0.3 * millis);
    return LinkEstimate.of(Duration.ofNanos((long) (millis * 1e6)), new LossEstimate(lost, PROBES))
        .withCapacity(Rate.ofMegabits(50 + random.nextInt(950)));
  }
}
