package io.cascade.model.routing;

import io.cascade.model.routing.LinkCosts.Place;
import java.util.Arrays;

/**
 * The Pareto front of (delay, burden) pairs of all ways to the destination, for every node and
 * exact number of hops.
 *
 * <p>A layered dynamic programme: O(hops·links·front). It is the layered form of "for every rate,
 * the shortest path among links that are no slower" (Chen and Chin, "The quickest path problem",
 * Computers and Operations Research 17(2), 1990). Ways may pass a node twice; routes do not, so the
 * front is a lower bound for routes.
 */
final class OnwardFronts {

  private final Layer[] layers;

  private OnwardFronts(Layer[] layers) {
    this.layers = layers;
  }

  static OnwardFronts of(
      LinkGraph graph, LinkCosts costs, int source, int destination, int mostHops) {
    Layer[] layers = new Layer[mostHops + 1];
    layers[0] = Layer.ofDestination(graph.nodes(), destination);
    for (int hops = 1; hops <= mostHops; hops++) {
      layers[hops] = layer(graph, costs, source, hops, hops == mostHops, layers[hops - 1]);
    }
    return new OnwardFronts(layers);
  }

  Layer layer(int hops) {
    return layers[hops];
  }

  private static Layer layer(
      LinkGraph graph, LinkCosts costs, int source, int hops, boolean sourceOnly, Layer onward) {
    Layer layer = new Layer(graph.nodes());
    Front front = new Front();
    for (int node = 0; node < graph.nodes(); node++) {
      front.clear();
      if (!sourceOnly || node == source) {
        Place place = costs.place(hops, node == source);
        for (int link = graph.first(node); link < graph.first(node + 1); link++) {
          if (costs.usable(link)) {
            extend(front, onward, graph.target(link), costs.delay(link, place), costs.burden(link));
          }
        }
      }
      layer.append(node, front);
    }
    return layer;
  }

  private static void extend(Front front, Layer onward, int to, double delay, double burden) {
    for (int i = onward.first[to]; i < onward.first[to + 1]; i++) {
      if (onward.burdens[i] <= burden) {
        // All further pairs have a greater delay and no lower burden.
        front.offer(delay + onward.delays[i], burden);
        return;
      }
      front.offer(delay + onward.delays[i], onward.burdens[i]);
    }
  }

  /** The fronts of all nodes for one number of hops, concatenated. */
  static final class Layer {
    final int[] first;
    double[] delays;
    double[] burdens;

    private Layer(int nodes) {
      first = new int[nodes + 1];
      delays = new double[nodes];
      burdens = new double[nodes];
    }

    private static Layer ofDestination(int nodes, int destination) {
      Layer layer = new Layer(nodes);
      layer.delays[0] = 0;
      layer.burdens[0] = 0;
      Arrays.fill(layer.first, destination + 1, nodes + 1, 1);
      return layer;
    }

    private void append(int node, Front front) {
      int from = first[node];
      int to = from + front.size();
      if (to > delays.length) {
        delays = Arrays.copyOf(delays, Math.max(to, 2 * delays.length));
        burdens = Arrays.copyOf(burdens, Math.max(to, 2 * burdens.length));
      }
      front.copyTo(delays, burdens, from);
      first[node + 1] = to;
    }

    boolean isEmpty(int node) {
      return first[node] == first[node + 1];
    }
  }
}
