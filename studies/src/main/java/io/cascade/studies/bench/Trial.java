package io.cascade.studies.bench;

import io.cascade.lab.process.LiveHeap;
import io.cascade.studies.bench.BenchContender.Running;
import io.cascade.studies.bench.ProcessTree.Cpu;
import io.cascade.studies.bench.ProcessTree.Memory;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * One kind of load on one contender at a time. A trial fails if a byte is lost, changed or added.
 */
sealed interface Trial {
  /** Short title, such as {@code bulk, 8 streams}. */
  String title();

  /** Metrics that the trial yields; the first is the main one. */
  List<Metric> metrics();

  /** Whether the trial needs a contender that was just started. */
  default boolean startsAnew() {
    return false;
  }

  /** Whether the contender may also use the processors of the ends. */
  default boolean runsEverywhere() {
    return false;
  }

  /** Runs the trial once. */
  Map<Metric, Double> run(Running contender, Destination destination, double seconds)
      throws IOException, InterruptedException;

  /** Waits until a load is in its steady state, before it is measured. */
  private static void runUp(double seconds) throws InterruptedException {
    Thread.sleep((long) (Math.min(0.5, seconds / 4) * 1e3));
  }

  /**
   * Sends as many bytes as the contender forwards.
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
          Metric.LONGEST_PAUSE,
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
        long[] logged = logged(contender);
        long bytesBefore = destination.countedBytes();
        Cpu relayBefore = relay.cpu();
        Cpu endsBefore = ends.cpuOfRoots();
        long start = System.nanoTime();
        double took;
        long bytes;
        do { // repeated if TLS handshakes take longer than a short round on a busy machine
          Thread.sleep((long) (seconds * 1e3));
          took = (System.nanoTime() - start) / 1e9;
          bytes = destination.countedBytes() - bytesBefore;
        } while (bytes <= 0 && took < TcpSocket.PATIENCE_SECONDS);
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
        longestPause(contender, logged)
            .ifPresent(millis -> values.put(Metric.LONGEST_PAUSE, millis));
        return values;
      }
    }

    private static long[] logged(Running contender) throws IOException {
      long[] logged = new long[contender.pauses().size()];
      for (int i = 0; i < logged.length; i++) {
        logged[i] = contender.pauses().get(i).length();
      }
      return logged;
    }

    private static OptionalDouble longestPause(Running contender, long[] since) throws IOException {
      double longest = 0;
      for (int i = 0; i < since.length; i++) {
        OptionalDouble one = contender.pauses().get(i).longestMillisSince(since[i]);
        if (one.isEmpty()) {
          return one;
        }
        longest = Math.max(longest, one.getAsDouble());
      }
      return since.length == 0 ? OptionalDouble.empty() : OptionalDouble.of(longest);
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
      return percentiles(PingPong.measure(contender.port(), seconds));
    }

    private static Map<Metric, Double> percentiles(Histogram nanos) {
      Map<Metric, Double> values = new EnumMap<>(Metric.class);
      values.put(Metric.P50, nanos.getValueAtPercentile(50) / 1e3);
      values.put(Metric.P99, nanos.getValueAtPercentile(99) / 1e3);
      values.put(Metric.P999, nanos.getValueAtPercentile(99.9) / 1e3);
      return values;
    }
  }

  /** Round trips of 64 bytes beside a bulk stream. */
  record LatencyBesideBulk() implements Trial {
    @Override
    public String title() {
      return "round trip of 64 bytes beside a bulk stream";
    }

    @Override
    public List<Metric> metrics() {
      return new Latency().metrics();
    }

    @Override
    public Map<Metric, Double> run(Running contender, Destination destination, double seconds)
        throws IOException, InterruptedException {
      try (BulkLoad load = BulkLoad.start(contender.port(), 1)) {
        runUp(seconds);
        Histogram nanos = PingPong.measure(contender.port(), seconds);
        load.finish();
        return Latency.percentiles(nanos);
      }
    }
  }

  /** Opens connections, uses each for 64 bytes in both directions, and closes it. */
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
        double took;
        long made;
        do { // repeated if a freshly started proxy takes longer for its first connection
          Thread.sleep((long) (seconds * 1e3));
          took = (System.nanoTime() - start) / 1e9;
          made = load.completed() - before;
        } while (made <= 0 && took < TcpSocket.PATIENCE_SECONDS);
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
   * Measures the time from a contender's start until it has carried a message.
   *
   * @param runsEverywhere whether on every processor, or only on that of the proxies
   */
  record Start(boolean runsEverywhere) implements Trial {
    @Override
    public String title() {
      return runsEverywhere ? "start, on every processor" : "start, on one processor";
    }

    @Override
    public List<Metric> metrics() {
      return List.of(Metric.START);
    }

    @Override
    public boolean startsAnew() {
      return true;
    }

    @Override
    public Map<Metric, Double> run(Running contender, Destination destination, double seconds) {
      return contender.isDirect() ? Map.of() : Map.of(Metric.START, contender.startSeconds());
    }
  }

  /**
   * Memory of idle streams, in excess of that of the process without streams.
   *
   * @param streams at the same time
   */
  record Idle(int streams) implements Trial {
    private static final int FIRST = 64;

    @Override
    public String title() {
      return String.format(Locale.ROOT, "memory of %,d idle streams", streams);
    }

    @Override
    public List<Metric> metrics() {
      return List.of(
          Metric.PSS_PER_STREAM, Metric.RSS_PER_STREAM, Metric.HEAP_PER_STREAM, Metric.PSS_IDLE);
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
        first.growTo(
            FIRST); // The first streams cause allocations that are made once and do not count.
      }
      destination.dismissResting();
      OptionalDouble heapBefore = liveHeap(contender);
      settle(contender, seconds);
      Memory before = relay.memory();
      try (IdleStreams idle = new IdleStreams(contender.port())) {
        idle.growTo(streams);
        settle(contender, seconds);
        int resting = destination.restingStreams();
        if (resting != streams) {
          throw new IOException(streams + " streams, of which " + resting + " arrived");
        }
        Memory after = relay.memory();
        Map<Metric, Double> values = new EnumMap<>(Metric.class);
        values.put(Metric.PSS_PER_STREAM, (after.pssKib() - before.pssKib()) / streams);
        values.put(Metric.RSS_PER_STREAM, (after.rssKib() - before.rssKib()) / streams);
        values.put(Metric.PSS_IDLE, before.pssKib() / 1_024);
        OptionalDouble heap = liveHeap(contender);
        if (heapBefore.isPresent() && heap.isPresent()) {
          double bytes = heap.getAsDouble() - heapBefore.getAsDouble();
          values.put(Metric.HEAP_PER_STREAM, bytes / 1_024 / streams);
        }
        return values;
      } finally {
        destination.dismissResting();
      }
    }

    /**
     * Waits until memory is at rest, or for less if the measurements are too short to be
     * meaningful.
     */
    private static void settle(Running contender, double seconds) throws InterruptedException {
      long most = (long) (seconds * 12e3);
      Thread.sleep(Math.min(contender.settling().toMillis(), most));
    }

    private static OptionalDouble liveHeap(Running contender)
        throws IOException, InterruptedException {
      return contender.isJava() ? LiveHeap.bytes(contender.processes()) : OptionalDouble.empty();
    }
  }
}
