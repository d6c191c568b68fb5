package io.cascade.testbed.planning;

import io.cascade.model.planning.Plan;
import io.cascade.model.planning.PlanRequest;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.Topology;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The time of one whole plan among relays in published cloud regions: search, full scores, rivals,
 * decision and words.
 *
 * <p>Goals: a full mesh of 100 relays under 5 ms; 1,000 relays with a million links under 500 ms;
 * 10,000 relays with 100 links each under 1 s. Run it with
 *
 * <pre>
 * ./cascade build &amp;&amp; java -cp 'dist/target/cascade/lib/*' org.openjdk.jmh.Main PlanBenchmark
 * </pre>
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@State(Scope.Benchmark)
public class PlanBenchmark {

  /** Relays × links that leave each. */
  @Param({"60x60", "100x100", "1000x1000", "10000x100"})
  public String network = "100x100";

  /** Relays that a route may have. */
  @Param({"3"})
  public int maxRelays = 3;

  /** Bytes to move; 0 is a stream without end. */
  @Param({"1073741824", "1000000", "0"})
  public long bytes = 1 << 30;

  private Topology topology = Topology.builder().build();
  private PlanRequest request =
      PlanRequest.between(CloudMesh.SOURCE, CloudMesh.DESTINATION).build();

  /** Builds the network. */
  @Setup(Level.Trial)
  public void build() {
    String[] size = network.split("x", 2);
    topology = CloudMesh.of(Integer.parseInt(size[0]), Integer.parseInt(size[1]));
    PlanRequest.Builder builder =
        PlanRequest.between(CloudMesh.SOURCE, CloudMesh.DESTINATION).maxRelays(maxRelays);
    if (bytes > 0) {
      builder.bytes(bytes);
    }
    request = builder.build();
  }

  /** A plan on a network that plans were made on before. */
  @Benchmark
  public Plan plan() {
    return new RoutePlanner().plan(topology, request);
  }
}
