package io.cascade.lab;

import io.cascade.client.terminal.Table;
import io.cascade.lab.Topology.LinkSpec;
import io.cascade.lab.Topology.SiteSpec;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Measure how accurately links on this machine emulate delay, loss, rate and order.",
      "Exits with 1 if a link misses its target."
    })
final class LabCheckVerb implements Callable<Integer> {
  private static final Duration LENGTH = Duration.ofSeconds(4);
  private static final double MATHIS_BITS_PER_SECOND = 7.0e6;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--tcp",
      description = "Also compare one Reno connection with Mathis' formula, by iperf3.")
  private boolean tcp;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    List<Result> results = new ArrayList<>();
    Topology topology =
        new Topology(
            "check-" + ProcessHandle.current().pid(),
            1,
            List.of(new SiteSpec("a", "reno", List.of()), new SiteSpec("b", "reno", List.of())),
            List.of(
                LinkSpec.symmetric(
                    "a", "b", LinkShape.of(Duration.ofMillis(10), LinkShape.UNLIMITED))),
            null,
            List.of());
    out.println("on " + machine());
    out.flush();
    try (Lab lab = Lab.up(topology)) {
      if (!lab.realTime()) {
        out.println("the links' thread has no priority over others");
      }
      DatagramRun.between(lab.site("a"), lab.site("b"), 1_500, 5_000, LENGTH); // Warms up.
      results.add(delay(lab, "delay of 10 ms", 0));
      results.add(
          delay(lab, "the same, processors busy", Runtime.getRuntime().availableProcessors()));
      results.add(loss(lab));
      results.add(rate(lab));
      results.add(throughput(lab));
      if (tcp) {
        results.add(reno(lab));
      }
    }
    Table table = new Table("CHECK", "MEASURED", "TARGET", "HELD");
    results.forEach(result ->
        table.row(result.name(), result.measured(), result.target(), result.held() ? "yes" : "NO"));
    table.print(out);
    return results.stream().allMatch(Result::held) ? 0 : 1;
  }

  private static Result delay(Lab lab, String name, int spinners) throws Exception {
    lab.link("a", "b").shape(LinkShape.of(Duration.ofMillis(10), LinkShape.UNLIMITED));
    DatagramRun run;
    try (Spinners busy = new Spinners(spinners)) {
      run = DatagramRun.between(lab.site("a"), lab.site("b"), 1_500, 500, LENGTH, true);
    }
    double median = (run.oneWayNanos().getValueAtPercentile(50) - 10e6) / 1e6;
    double high = (run.oneWayNanos().getValueAtPercentile(99) - 10e6) / 1e6;
    return new Result(
        name,
        String.format(Locale.ROOT, "+%.3f ms median, +%.3f ms p99", median, high),
        "+0.3 ms median",
        Math.abs(median) < 0.3 && clean(run));
  }

  private static Result loss(Lab lab) throws Exception {
    double probability = 0.01;
    lab.link("a", "b")
        .shape(
            LinkShape.of(Duration.ofMillis(10), LinkShape.UNLIMITED)
                .withLoss(new Loss.Bernoulli(probability)));
    DatagramRun run = DatagramRun.between(lab.site("a"), lab.site("b"), 200, 10_000, LENGTH);
    long lost = run.sent() - run.received();
    double mean = run.sent() * probability;
    double reach = 2.576 * Math.sqrt(mean * (1 - probability));
    return new Result(
        "loss of 1 %",
        lost + " of " + run.sent(),
        String.format(Locale.ROOT, "%.0f to %.0f (99 %%)", mean - reach, mean + reach),
        Math.abs(lost - mean) <= reach && clean(run));
  }

  private static Result rate(Lab lab) throws Exception {
    // The queue must outlast waits of the sender for a processor.
    lab.link("a", "b")
        .shape(LinkShape.of(Duration.ofMillis(10), 100_000_000).withQueueBytes(8 << 20));
    DatagramRun run = DatagramRun.between(lab.site("a"), lab.site("b"), 1_500, 12_500, LENGTH);
    double rate = run.receivedBits() / run.receivingSeconds() / 1e6;
    return new Result(
        "rate of 100 Mbit/s",
        String.format(Locale.ROOT, "%.2f Mbit/s", rate),
        "within 1 %",
        Math.abs(rate / 100 - 1) < 0.01 && clean(run));
  }

  /** Measures one connection's throughput with packets of 1,500 bytes. */
  private static Result throughput(Lab lab) throws Exception {
    lab.link("a", "b")
        .shape(LinkShape.of(Duration.ofMillis(1), LinkShape.UNLIMITED).withQueueBytes(4 << 20));
    DirectionStatistics before = lab.link("a", "b").statistics();
    double cpuBefore = emulatorSeconds(lab);
    long began = System.nanoTime();
    transfer(lab.site("a"), lab.site("b"));
    double seconds = (System.nanoTime() - began) / 1e9;
    double cpu = emulatorSeconds(lab) - cpuBefore;
    DirectionStatistics after = lab.link("a", "b").statistics();
    double carried = 8.0 * (after.forwardedBytes() - before.forwardedBytes()) / seconds / 1e6;
    return new Result(
        "1500-byte packets, one thread",
        String.format(
            Locale.ROOT, "%.0f Mbit/s, %.0f %% of a processor", carried, 100 * cpu / seconds),
        "500 Mbit/s",
        carried >= 500 && after.overflowedPackets() == before.overflowedPackets());
  }

  private static void transfer(Site from, Site to) throws Exception {
    try (ServerSocketChannel server =
        to.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress(to.address(), 0)))) {
      Thread.ofPlatform().daemon().start(() -> discard(server));
      InetSocketAddress address = (InetSocketAddress) server.getLocalAddress();
      from.call(() -> {
        try (SocketChannel channel = SocketChannel.open(address)) {
          ByteBuffer block = ByteBuffer.allocateDirect(1 << 18);
          for (long end = System.nanoTime() + LENGTH.toNanos(); System.nanoTime() < end; ) {
            channel.write(block.clear());
          }
        }
        return true;
      });
    }
  }

  private static void discard(ServerSocketChannel server) {
    try (SocketChannel channel = server.accept()) {
      ByteBuffer block = ByteBuffer.allocateDirect(1 << 18);
      while (channel.read(block.clear()) >= 0) {}
    } catch (IOException e) {
      // The check has ended.
    }
  }

  private static Result reno(Lab lab) {
    lab.link("a", "b")
        .shape(LinkShape.of(Duration.ofMillis(32), 32_000_000).withLoss(new Loss.Bernoulli(0.001)));
    Process server = lab.site("b").start("iperf3", "-s", "-1");
    try {
      lab.site("a").run("sh", "-c", "for i in 1 2 3 4 5 6 7 8 9; do sleep 0.1; done");
      Site.Ran ran =
          lab.site("a")
              .run(
                  Duration.ofSeconds(90),
                  "iperf3",
                  "-c",
                  "b",
                  "-t",
                  "60",
                  "-O",
                  "5",
                  "-C",
                  "reno",
                  "-f",
                  "k");
      double kilobits =
          ran.out()
              .lines()
              .filter(line -> line.contains("receiver"))
              .map(line -> line.replaceFirst(".*Bytes\\s+([0-9.]+) Kbits.*", "$1"))
              .mapToDouble(Double::parseDouble)
              .findFirst()
              .orElse(0);
      return new Result(
          "Reno, 64 ms, 0.1 %, 60 s",
          String.format(Locale.ROOT, "%.2f Mbit/s", kilobits / 1e3),
          "Mathis 7.0, within 20 %",
          Math.abs(kilobits * 1e3 / MATHIS_BITS_PER_SECOND - 1) < 0.2);
    } finally {
      server.destroy();
    }
  }

  private static boolean clean(DatagramRun run) {
    return run.reordered() == 0 && run.corrupted() == 0;
  }

  /** Processor time of the process that carries the packets. */
  private static double emulatorSeconds(Lab lab) {
    return ProcessHandle.of(lab.state().hostPid())
        .flatMap(process -> process.info().totalCpuDuration())
        .map(used -> used.toNanos() / 1e9)
        .orElse(0.0);
  }

  private static String machine() throws IOException {
    String processor =
        Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .filter(line -> line.startsWith("model name"))
            .map(line -> line.substring(line.indexOf(':') + 2))
            .findFirst()
            .orElse("processor");
    return "%d × %s, Linux %s, Java %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            processor,
            System.getProperty("os.version"),
            Runtime.version());
  }

  private record Result(String name, String measured, String target, boolean held) {}

  /** Threads that use a processor all the time, in place of other programs on the machine. */
  private static final class Spinners implements AutoCloseable {
    private volatile boolean running = true;

    Spinners(int count) {
      for (int i = 0; i < count; i++) {
        Thread.ofPlatform()
            .daemon()
            .name("busy-" + i)
            .start(() -> {
              while (running) {
                Thread.onSpinWait();
              }
            });
      }
    }

    @Override
    public void close() {
      running = false;
    }
  }
}
