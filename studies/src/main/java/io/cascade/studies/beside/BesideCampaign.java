package io.cascade.studies.beside;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import io.cascade.studies.study.MachineLoad;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Small messages, then bulk, alone and beside tests of the link that they use. */
final class BesideCampaign {
  private static final long SECOND = 1_000_000_000L;
  private static final int ALONE_SECONDS = 5;

  /** Tests of one kind, one after the other. */
  private static final int ROUNDS = 3;

  private final PrintWriter progress;
  private final List<BesideRun> runs = new ArrayList<>();
  private final Executor threads =
      task -> Thread.ofPlatform().daemon().name("beside-test").start(task);

  BesideCampaign(PrintWriter progress) {
    this.progress = progress;
  }

  /** Question to the orchestrator; answers in words. */
  private interface Asked {
    String ask() throws Exception;
  }

  List<BesideRun> measure() throws Exception {
    try (BesideNetwork network = BesideNetwork.up("beside-" + ProcessHandle.current().pid())) {
      messages(network);
      bulk(network);
    }
    return List.copyOf(runs);
  }

  private void messages(BesideNetwork network) throws Exception {
    ServerSocketChannel server = EchoPings.server(network.far());
    int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    try (EchoPings pings = EchoPings.begin(server, network.source(), network.open(port))) {
      Thread.sleep(1_000);
      long from = System.nanoTime();
      Thread.sleep(1_000 * ALONE_SECONDS);
      latency("nothing", pings, from, "-");
      beside(pings, "throughput test, CUBIC", () -> words(network.test("cubic")));
      beside(pings, "throughput test, BBR", () -> words(network.test("bbr")));
      beside(pings, "packet train of 10 Mbit/s", () -> words(network.train(10_000_000)));
    }
  }

  private void beside(EchoPings pings, String what, Asked test) throws Exception {
    List<Double> millis = new ArrayList<>();
    List<String> outcomes = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      long from = System.nanoTime();
      outcomes.add(asked(test));
      for (double one : pings.millis(from, System.nanoTime())) {
        millis.add(one);
      }
      // The next one is refused while the relays hold the last one's place, for 2 s after a train.
      Thread.sleep(3_000);
    }
    double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    add(
        new BesideRun(
            what,
            BesideRun.Latency.of(sorted),
            null,
            String.join("; ", outcomes) + (pings.runs() ? "" : "; the stream broke"),
            MachineLoad.oneMinute()));
  }

  private void latency(String beside, EchoPings pings, long from, String outcome) {
    add(
        new BesideRun(
            beside,
            BesideRun.Latency.of(pings.millis(from, System.nanoTime())),
            null,
            outcome,
            MachineLoad.oneMinute()));
  }

  private void bulk(BesideNetwork network) throws Exception {
    bulk(network, "nothing", null);
    bulk(
        network,
        "throughput test under way as it begins, CUBIC",
        () -> words(network.test("cubic")));
    bulk(network, "packet train under way as it begins", () -> words(network.train(10_000_000)));
    try (TrafficSink sink = TrafficSink.at(network.far(), 1);
        Sender sender = Sender.connect(network.source(), network.open(sink.port()), 1)) {
      sender.send(Long.MAX_VALUE);
      Thread.sleep(2_000);
      long from = System.nanoTime();
      String outcome = asked(() -> words(network.test("cubic")));
      Thread.sleep(3_000);
      rate("throughput test asked for while it runs", sink, from, System.nanoTime(), outcome);
    }
  }

  /** The first seconds of bulk that begins beside a test, or alone. */
  private void bulk(BesideNetwork network, String beside, @Nullable Asked test) throws Exception {
    try (TrafficSink sink = TrafficSink.at(network.far(), 1);
        Sender sender = Sender.connect(network.source(), network.open(sink.port()), 1)) {
      Thread.sleep(3_000);
      CompletableFuture<String> running =
          test == null
              ? CompletableFuture.completedFuture("-")
              : CompletableFuture.supplyAsync(() -> asked(test), threads);
      Thread.sleep(1_000);
      long from = System.nanoTime();
      sender.send(Long.MAX_VALUE);
      Thread.sleep(1_000 * ALONE_SECONDS);
      rate(beside, sink, from, from + ALONE_SECONDS * SECOND, running.get());
    }
  }

  private void rate(String beside, TrafficSink sink, long from, long to, String outcome) {
    add(
        new BesideRun(
            beside, null, sink.bitsPerSecond(from, to), outcome, MachineLoad.oneMinute()));
  }

  private void add(BesideRun run) {
    runs.add(run);
    progress.println(BesideReport.row(run));
    progress.flush();
  }

  private static String asked(Asked test) {
    try {
      return test.ask();
    } catch (ProblemException e) {
      return "refused: " + e.getMessage();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static String words(LinkTest test) {
    return String.format(
        Locale.ROOT,
        "%.1f Mbit/s in %.1f s, ended by %s",
        test.bitsPerSecond() / 1e6,
        test.seconds(),
        test.endedBy());
  }

  private static String words(LinkTrain train) {
    return String.format(
        Locale.ROOT,
        "%d + %d of %d lost in %.1f s, ended by %s",
        train.there().lost(),
        train.back().lost(),
        train.packets(),
        train.seconds(),
        train.endedBy());
  }
}
