package io.cascade.testbed.bench;

import io.cascade.testbed.bench.Contender.Running;
import io.cascade.testbed.bench.ProcessTree.Cpu;
import io.cascade.testbed.bench.ProcessTree.Memory;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** One kind of load on one contender at a time. Fails where a byte is lost, changed or added. */
sealed interface Trial {
  /** Short, such as {@code bulk, 8 streams}. */
  String title();

  /** What it yields, the telling one first. */
  List<Metric> metrics();

  /** Whether it wants a contender that was just started. */
  default boolean startsAnew() {
    return false;
  }

  /** Runs once. */
  Map<Metric, Double> run(Running contender, Destination destination, double seconds)
      throws IOException, InterruptedException;

  /** Lets a load run up before it is measured. */
  private static void runUp(double seconds) throws InterruptedException {
    Thread.sleep((long) (Math.min(0.5, seconds / 4) * 1e3));
  }

  /**
   * As many bytes as go through.
   *
   * @param streams at the same time
   */
  record Bulk(int streams) implements Trial {
    private static final double MIB = 1L << 20;
    private static final double GIB = 1L << 30;

    @Override
    public String title() {
      return "bulk, " + streams + (streams == 1 ? " stream" : " streams");
    }

    @Override
    public List<Metric> metrics() {
      return List.of(
          Metric.RELAY_CPU,
          Metric.RELAY_USER,
          Metric.RELAY_SYSTEM,
          Metric.ALL_CPU,
          Metric.GARBAGE,
          Metric.THROUGHPUT);
    }

    @Override
    public Map<Metric, Double> run(Running contender, Destination destination, double seconds)
        throws IOException, InterruptedException {
      ProcessTree relay = contender.tree();
      ProcessTree ends = ProcessTree.ofThisProcess();
      try (BulkLoad load = BulkLoad.start(contender.port(), streams)) {
        runUp(seconds);
        OptionalDouble allocatedBefore = contender.garbage().allocatedBytes();
        long bytesBefore = destination.countedBytes();
        Cpu relayBefore = relay.cpu();
        Cpu endsBefore = ends.cpuOfRoots();
        long start = System.nanoTime();
        Thread.sleep((long) (seconds * 1e3));
        double took = (System.nanoTime() - start) / 1e9;
        long bytes = destination.countedBytes() - bytesBefore;
        Cpu ofRelay = relay.cpu().minus(relayBefore);
        Cpu ofEnds = ends.cpuOfRoots().minus(endsBefore);
        OptionalDouble allocated = contender.garbage().allocatedBytes();
        load.finish();
        if (bytes <= 0) {
          throw new IOException("no byte arrived in " + took + " s");
        }
        double gibibytes = bytes / GIB;
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        values.put(Metric.THROUGHPUT, bytes * 8 / took / 1e9);
        values.put(Metric.ALL_CPU, (ofRelay.seconds() + ofEnds.seconds()) / gibibytes);
        if (!contender.isDirect()) {
          values.put(Metric.RELAY_CPU, ofRelay.seconds() / gibibytes);
          values.put(Metric.RELAY_USER, ofRelay.userSeconds() / gibibytes);
          values.put(Metric.RELAY_SYSTEM, ofRelay.systemSeconds() / gibibytes);
        }
        if (allocatedBefore.isPresent() && allocated.isPresent()) {
          double mebibytes = (allocated.getAsDouble() - allocatedBefore.getAsDouble()) / MIB;
          values.put(Metric.GARBAGE, mebibytes / gibibytes);
        }
        return values;
      }
    }
  }

  /** Round trips of 64 bytes, one after the other on one stream. */
  record Latency() implements Trial {
    @Override
    public String title() {
      return "round trip of 64 bytes";
    }

    @Override
    public List<Metric> metrics() {
      return List.of(Metric.P50, Metric.P99, Metric.P999);
    }

    @Override
    public Map<Metric, Double> run(Running contender, Destination destination, double seconds)
        throws IOException {
      Histogram nanos = PingPong.measure(contender.port(), seconds);
      Map<Metric, Double> values = new EnumMap<>(Metric.class);
      values.put(Metric.P50, nanos.getValueAtPercentile(50) / 1e3);
      values.put(Metric.P99, nanos.getValueAtPercentile(99) / 1e3);
      values.put(Metric.P999, nanos.getValueAtPercentile(99.9) / 1e3);
      return values;
    }
  }

  /** As many connections as are made, used for 64 bytes each way and ended. */
  record Connections() implements Trial {
    @Override
    public String title() {
      return "short connections";
    }

    @Override
    public List<Metric> metrics() {
      return List.of(Metric.CONNECTIONS, Metric.RELAY_CPU_PER_CONNECTION);
    }

    @Override
    public Map<Metric, Double> run(Running contender, Destination destination, double seconds)
        throws IOException, InterruptedException {
      ProcessTree relay = contender.tree();
      try (ShortConnections load = ShortConnections.start(contender.port())) {
        runUp(seconds);
        long before = load.completed();
        Cpu cpuBefore = relay.cpu();
        long start = System.nanoTime();
        Thread.sleep((long) (seconds * 1e3));
        double took = (System.nanoTime() - start) / 1e9;
        long made = load.completed() - before;
        Cpu cpu = relay.cpu().minus(cpuBefore);
        load.finish();
        if (made <= 0) {
          throw new IOException("no connection was completed in " + took + " s");
        }
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        values.put(Metric.CONNECTIONS, made / took);
        if (!contender.isDirect()) {
          values.put(Metric.RELAY_CPU_PER_CONNECTION, cpu.seconds() * 1e6 / made);
        }
        return values;
      }
    }
  }

  /**
   * Memory of streams that stand still, beyond that of the process without them.
   *
   * @param streams at the same time
   */
  record Idle(int streams) implements Trial {
    private static final int FIRST = 64;
    private static final int SETTLE_MILLIS = 300;

    @Override
    public String title() {
      return String.format(Locale.ROOT, "memory of %,d idle streams", streams);
    }

    @Override
    public List<Metric> metrics() {
      return List.of(Metric.PSS_PER_STREAM, Metric.RSS_PER_STREAM, Metric.PSS_IDLE);
    }

    @Override
    public boolean startsAnew() {
      return true;
    }

    @Override
    public Map<Metric, Double> run(Running contender, Destination destination, double seconds)
        throws IOException, InterruptedException {
      if (contender.isDirect()) {
        return Map.of();
      }
      ProcessTree relay = contender.tree();
      try (IdleStreams first = new IdleStreams(contender.port())) {
        first.growTo(FIRST); // What is made once, for the first streams, is not theirs.
      }
      destination.dismissResting();
      Thread.sleep(SETTLE_MILLIS);
      Memory before = relay.memory();
      try (IdleStreams idle = new IdleStreams(contender.port())) {
        idle.growTo(streams);
        Thread.sleep(SETTLE_MILLIS);
        int resting = destination.restingStreams();
        if (resting != streams) {
          throw new IOException(streams + " streams, of which " + resting + " arrived");
        }
        Memory after = relay.memory();
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        values.put(Metric.PSS_PER_STREAM, (after.pssKib() - before.pssKib()) / streams);
        values.put(Metric.RSS_PER_STREAM, (after.rssKib() - before.rssKib()) / streams);
        values.put(Metric.PSS_IDLE, before.pssKib() / 1_024);
        return values;
      } finally {
        destination.dismissResting();
      }
    }
  }
}
