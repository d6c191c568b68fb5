package io.cascade.testbed.planning;

import io.cascade.model.planning.PlanRequest;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.Topology;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;

/**
 * Growth of a plan's cost with relays in published cloud regions, links and hops, as the table in
 * {@code docs/experiments/2026-11-24-planner-speed.md}.
 *
 * <p>Measures processor time of the planning thread, which a busy machine distorts less than the
 * clock; {@link PlanBenchmark} has the clock's. Run it with
 *
 * <pre>
 * ./cascade build &amp;&amp; java -Xmx4g -cp 'dist/target/cascade/lib/*' \
 *     io.cascade.testbed.planning.PlanGrowth
 * </pre>
 */
public final class PlanGrowth {

  private static final long GIBIBYTE = 1L << 30;
  private static final long ENOUGH_NANOS = 3_000_000_000L;
  private static final int FEWEST = 7;
  private static final int MOST = 400;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final RoutePlanner planner = new RoutePlanner();
  private final PrintStream out;

  private PlanGrowth(PrintStream out) {
    this.out = out;
  }

  /** Prints the table. */
  public static void main(String[] args) {
    PlanGrowth growth = new PlanGrowth(System.out);
    growth.millis(CloudMesh.of(100, 100), 4, GIBIBYTE);
    growth.print();
  }

  private void print() {
    out.println("| relays | links | relays per route | 1 GiB, ms | 1 MB, ms | stream, ms |");
    out.println("|---|---|---|---|---|---|");
    for (int relays : new int[] {60, 100, 300, 1000}) {
      row(relays, relays, 3);
    }
    for (int relays : new int[] {1000, 3000, 10_000}) {
      row(relays, 100, 3);
    }
    for (int hops : new int[] {1, 2, 4, 6, 8}) {
      row(100, 100, hops);
    }
    for (int hops : new int[] {1, 2, 4, 6}) {
      row(1000, 1000, hops);
    }
  }

  private void row(int relays, int linksEach, int maxRelays) {
    Topology topology = CloudMesh.of(relays, linksEach);
    long links = topology.nodes().stream().mapToLong(node -> topology.linksFrom(node).size()).sum();
    out.printf(
        Locale.ROOT,
        "| %,d | %,d | %d | %s | %s | %s |%n",
        relays,
        links,
        maxRelays,
        millis(topology, maxRelays, GIBIBYTE),
        millis(topology, maxRelays, 1_000_000),
        millis(topology, maxRelays, 0));
  }

  /** The median of many plans on a network that one plan was made on before. */
  private String millis(Topology topology, int maxRelays, long bytes) {
    PlanRequest.Builder builder =
        PlanRequest.between(CloudMesh.SOURCE, CloudMesh.DESTINATION).maxRelays(maxRelays);
    if (bytes > 0) {
      builder.bytes(bytes);
    }
    PlanRequest request = builder.build();
    planner.plan(topology, request);
    double[] millis = new double[MOST];
    long spent = 0;
    int count = 0;
    while (count < MOST && (count < FEWEST || spent < ENOUGH_NANOS)) {
      long before = threads.getCurrentThreadCpuTime();
      planner.plan(topology, request);
      long nanos = threads.getCurrentThreadCpuTime() - before;
      spent += nanos;
      millis[count++] = nanos / 1e6;
    }
    Arrays.sort(millis, 0, count);
    double median = millis[count / 2];
    return String.format(Locale.ROOT, median < 10 ? "%.1f" : "%.0f", median);
  }
}
