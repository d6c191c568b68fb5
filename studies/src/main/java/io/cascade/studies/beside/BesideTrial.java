package io.cascade.studies.beside;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import io.cascade.studies.study.MachineLoad;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** Measures small messages, or bulk, alone and beside tests of their link. */
final class BesideTrial {
  private static final long SECOND = 1_000_000_000L;
  private static final int ALONE_SECONDS = 5;
  private static final int TRAIN_BITS_PER_SECOND = 10_000_000;

  /** Number of tests of one kind, one after the other. */
  private static final int ROUNDS = 3;

  private final BesideNetwork network;
  private final Executor threads =
      task -> Thread.ofPlatform().daemon().name("beside-test").start(task);

  BesideTrial(BesideNetwork network) {
    this.network = network;
  }

  /** A test that the orchestrator is asked for, and its outcome in words. */
  private interface Asked {
    String ask() throws Exception;
  }

  /** Result of a measurement. */
  private record Figures(
      BesideRun.@Nullable Latency latency, @Nullable Double bitsPerSecond, String outcome) {}

  BesideRun run(BesideCell cell, int number) throws Exception {
    Figures figures =
        switch (cell) {
          case MESSAGES_ALONE -> messages(null);
          case MESSAGES_BESIDE_CUBIC -> messages(() -> words(network.test("cubic")));
          case MESSAGES_BESIDE_BBR -> messages(() -> words(network.test("bbr")));
          case MESSAGES_BESIDE_TRAIN -> messages(this::train);
          case BULK_ALONE -> bulk(null);
          case BULK_BEGINS_BESIDE_CUBIC -> bulk(() -> words(network.test("cubic")));
          case BULK_BEGINS_BESIDE_TRAIN -> bulk(this::train);
          case BULK_RUNS_BEFORE_CUBIC -> running();
        };
    return new BesideRun(
        cell,
        number,
        figures.latency(),
        figures.bitsPerSecond(),
        figures.outcome(),
        MachineLoad.oneMinute());
  }

  private String train() {
    return words(network.train(TRAIN_BITS_PER_SECOND));
  }

  private Figures messages(@Nullable Asked test) throws Exception {
    ServerSocketChannel server = EchoPings.server(network.far());
    int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
    try (EchoPings pings = EchoPings.begin(server, network.source(), network.open(port))) {
      Thread.sleep(1_000);
      if (test != null) {
        return beside(pings, test);
      }
      long from = System.nanoTime();
      Thread.sleep(1_000 * ALONE_SECONDS);
      double[] millis = pings.millis(from, System.nanoTime());
      return new Figures(BesideRun.Latency.of(millis), null, "-");
    }
  }

  private static Figures beside(EchoPings pings, Asked test) throws Exception {
    List<Double> millis = new ArrayList<>();
    List<String> outcomes = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      long from = System.nanoTime();
      outcomes.add(asked(test));
      for (double one : pings.millis(from, System.nanoTime())) {
        millis.add(one);
      }
      // Relays hold the slot of a test for 2 s after a train, and refuse the next test until then.
      Thread.sleep(3_000);
    }
    double[] sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    String outcome = String.join("; ", outcomes) + (pings.runs() ? "" : "; the stream broke");
    return new Figures(BesideRun.Latency.of(sorted), null, outcome);
  }

  /** Measures the first seconds of bulk that begins beside a test, or alone. */
  private Figures bulk(@Nullable Asked test) throws Exception {
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
      return new Figures(
          null, sink.bitsPerSecond(from, from + ALONE_SECONDS * SECOND), running.get());
    }
  }

  /** Measures bulk that is already running when a test is requested. */
  private Figures running() throws Exception {
    try (TrafficSink sink = TrafficSink.at(network.far(), 1);
        Sender sender = Sender.connect(network.source(), network.open(sink.port()), 1)) {
      sender.send(Long.MAX_VALUE);
      Thread.sleep(2_000);
      long from = System.nanoTime();
      String outcome = asked(() -> words(network.test("cubic")));
      Thread.sleep(3_000);
      return new Figures(null, sink.bitsPerSecond(from, System.nanoTime()), outcome);
    }
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
