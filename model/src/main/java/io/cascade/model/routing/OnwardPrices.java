package io.cascade.model.routing;

import java.util.Arrays;

/**
 * Lower bounds of the price of ways to the destination, for every node and exact number of hops:
 * per GiB of traffic and, separately, per hour of relays. The node itself is not counted.
 */
final class OnwardPrices {

  private final double[][] traffic;
  private final double[][] hourly;

  OnwardPrices(LinkGraph graph, LinkCosts costs, Tariff tariff, int destination, int mostHops) {
    traffic = new double[mostHops + 1][graph.nodes()];
    hourly = new double[mostHops + 1][graph.nodes()];
    for (int hops = 0; hops <= mostHops; hops++) {
      Arrays.fill(traffic[hops], Double.POSITIVE_INFINITY);
      Arrays.fill(hourly[hops], Double.POSITIVE_INFINITY);
    }
    traffic[0][destination] = 0;
    hourly[0][destination] = 0;
    for (int hops = 1; hops <= mostHops; hops++) {
      for (int node = 0; node < graph.nodes(); node++) {
        for (int link = graph.first(node); link < graph.first(node + 1); link++) {
          if (costs.usable(link)) {
            int to = graph.target(link);
            double ofRelay = hops > 1 ? tariff.hourlyOfNode()[to] : 0;
            traffic[hops][node] =
                Math.min(traffic[hops][node], traffic[hops - 1][to] + tariff.trafficOfLink()[link]);
            hourly[hops][node] = Math.min(hourly[hops][node], hourly[hops - 1][to] + ofRelay);
          }
        }
      }
    }
  }

  double traffic(int node, int hops) {
    return traffic[hops][node];
  }

  double hourly(int node, int hops) {
    return hourly[hops][node];
  }
}
