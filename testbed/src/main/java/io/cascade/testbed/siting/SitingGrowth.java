package io.cascade.testbed.siting;

import io.cascade.siting.SitePlanner;
import io.cascade.siting.Siting;
import io.cascade.siting.SitingRequest;
import java.util.Arrays;
import java.util.Locale;

/**
 * Time that the exact choice of sites takes, and what greedy misses, as sites, demands and chains
 * grow: the median and the longest of five drawings of published cloud regions each, as a table in
 * Markdown.
 *
 * <pre>
 * ./cascade build &amp;&amp; java --enable-native-access=ALL-UNNAMED -cp 'dist/target/cascade/lib/*' \
 *     io.cascade.testbed.siting.SitingGrowth
 * </pre>
 */
public final class SitingGrowth {

  private static final int NETWORKS = 5;
  private static final int[][] SIZES = {
    {10, 10, 4, 2},
    {25, 15, 6, 2},
    {50, 30, 8, 1},
    {50, 30, 8, 2},
    {60, 30, 8, 2},
    {25, 15, 6, 3},
    {50, 30, 8, 3}
  };

  private SitingGrowth() {}

  public static void main(String[] arguments) {
    new SitePlanner().exact(CloudPlaces.request(0, 20, 10, 4, 2));
    System.out.println(
        "| candidates | demands | k | relays in a chain | median | longest | proven | greedy misses |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (int[] size : SIZES) {
      System.out.println(row(size[0], size[1], size[2], size[3]));
    }
  }

  private static String row(int sites, int demands, int most, int relays) {
    double[] seconds = new double[NETWORKS];
    int proven = 0;
    double missed = 0;
    for (int network = 0; network < NETWORKS; network++) {
      SitingRequest request = CloudPlaces.request(network + 1L, sites, demands, most, relays);
      long start = System.nanoTime();
      Siting siting = new SitePlanner().exact(request);
      seconds[network] = (System.nanoTime() - start) / 1e9;
      proven += siting.proven() ? 1 : 0;
      missed = Math.max(missed, siting.greedyGap().orElse(1));
    }
    Arrays.sort(seconds);
    return String.format(
        Locale.ROOT,
        "| %d | %d | %d | %d | %.2f s | %.2f s | %d of %d | up to %.1f %% |",
        sites,
        demands,
        most,
        relays,
        seconds[NETWORKS / 2],
        seconds[NETWORKS - 1],
        proven,
        NETWORKS,
        100 * missed);
  }
}
