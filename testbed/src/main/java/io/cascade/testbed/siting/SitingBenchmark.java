package io.cascade.testbed.siting;

import io.cascade.siting.SitePlanner;
import io.cascade.siting.Siting;
import io.cascade.siting.SitingRequest;
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
 * The time of one exact choice of sites. The goal: 50 candidates, 30 demands and eight sites to
 * rent under 10 s. Candidates and demands stand in published cloud regions.
 *
 * <pre>
 * ./cascade build &amp;&amp; java -cp 'dist/target/cascade/lib/*' org.openjdk.jmh.Main SitingBenchmark
 * </pre>
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
@State(Scope.Benchmark)
public class SitingBenchmark {

  /** Seed by which regions are drawn. */
  @Param({"1", "2", "3", "4", "5"})
  public long network = 1;

  /** The most relays in a chain. */
  @Param({"2"})
  public int relays = 2;

  private SitingRequest request = CloudPlaces.request(1, 50, 30, 8, 2);

  /** Draws the regions. */
  @Setup(Level.Trial)
  public void draw() {
    request = CloudPlaces.request(network, 50, 30, 8, relays);
  }

  /** The choice, with its proof. */
  @Benchmark
  public Siting choice() {
    return new SitePlanner().exact(request);
  }
}
