package io.cascade.testbed.planning;

import io.cascade.model.planning.Topology;
import io.cascade.testbed.topologies.CloudHosts;
import java.util.List;
import java.util.Random;

/**
 * Relays in the published cloud regions, one region after the other until all relays have a place,
 * with the links that {@link CloudHosts} has; reproducible. A source in São Paulo, a destination in
 * Seoul.
 */
final class CloudMesh {

  static final String SOURCE = "source";
  static final String DESTINATION = "destination";

  private static final String SOURCE_REGION = "aws:sa-east-1";
  private static final String DESTINATION_REGION = "azure:koreacentral";

  private final Random random = new Random(1);
  private final CloudHosts hosts = new CloudHosts();
  private final Topology.Builder links = Topology.builder();
  private final int relays;

  private CloudMesh(int relays) {
    this.relays = relays;
  }

  /**
   * Every relay with links to {@code linksEach} others chosen at random, all if there are no more;
   * source and destination to and from as many.
   */
  static Topology of(int relays, int linksEach) {
    CloudMesh mesh = new CloudMesh(relays);
    mesh.link(0, 1);
    for (int from = 0; from < relays + 2; from++) {
      if (from != 1) {
        mesh.addLinks(from, linksEach);
      }
    }
    return mesh.links.build();
  }

  private void addLinks(int from, int linksEach) {
    if (linksEach >= relays - 1) {
      for (int to = 1; to < relays + 2; to++) {
        if (to != from && !(from == 0 && to == 1)) {
          link(from, to);
        }
      }
      return;
    }
    random
        .ints(2, relays + 2)
        .filter(to -> to != from)
        .distinct()
        .limit(linksEach)
        .boxed()
        .toList()
        .forEach(to -> link(from, to));
    // As many links into the destination as out of any node.
    if (from > 0 && random.nextInt(relays) < linksEach) {
      link(from, 1);
    }
  }

  private void link(int from, int to) {
    links.link(name(from), name(to), hosts.link(region(from), region(to), random));
  }

  private static String name(int node) {
    return node == 0 ? SOURCE : node == 1 ? DESTINATION : "relay-" + (node - 1);
  }

  private String region(int node) {
    List<String> regions = hosts.regions();
    return switch (node) {
      case 0 -> SOURCE_REGION;
      case 1 -> DESTINATION_REGION;
      default -> regions.get((node - 2) % regions.size());
    };
  }
}
