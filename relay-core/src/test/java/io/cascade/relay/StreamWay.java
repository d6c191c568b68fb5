package io.cascade.relay;

import static org.junit.jupiter.api.Assertions.assertAll;

import io.cascade.api.relay.StreamOptions;
import io.cascade.carriage.transport.KernelPipe;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.PumpMode;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;

/** A transport and a pump, and what protects the hops: how a stream's bytes get through relays. */
record StreamWay(Transport transport, PumpMode pump, Hops hops) {
  /** What is tried on one of the ways. */
  @FunctionalInterface
  interface Trial {
    void on(StreamWay way) throws Exception;
  }

  /** Every way on this machine. */
  static List<StreamWay> all() {
    return Stream.of(
            new StreamWay(Transport.EPOLL, PumpMode.AUTO, Hops.PLAIN),
            new StreamWay(Transport.EPOLL, PumpMode.COPY, Hops.PLAIN),
            new StreamWay(Transport.EPOLL, PumpMode.SPLICE, Hops.PLAIN),
            new StreamWay(Transport.EPOLL, PumpMode.AUTO, Hops.TLS),
            new StreamWay(Transport.EPOLL, PumpMode.SPLICE, Hops.TLS_OF_THE_JDK),
            new StreamWay(Transport.NIO, PumpMode.AUTO, Hops.PLAIN),
            new StreamWay(Transport.NIO, PumpMode.AUTO, Hops.TLS))
        .filter(way -> way.transport.available())
        .toList();
  }

  /** Runs a trial on all ways at the same time, for trials that wait more than they work. */
  static void onEach(Trial trial) throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Executable> outcomes = new ArrayList<>();
      for (StreamWay way : all()) {
        Future<?> outcome =
            threads.submit(() -> {
              trial.on(way);
              return null;
            });
        outcomes.add(() -> await(way, outcome));
      }
      assertAll(outcomes);
    }
  }

  private static void await(StreamWay way, Future<?> outcome) throws InterruptedException {
    try {
      outcome.get();
    } catch (ExecutionException e) {
      throw new AssertionError(way + ": " + e.getCause(), e.getCause());
    }
  }

  /** The number of relays, or as many as it takes to have a hop between two. */
  int fewest(int relays) {
    return hops.areEncrypted() ? Math.max(2, relays) : relays;
  }

  /** Whether the kernel may move the bytes of a relay at either end, whose client is plain. */
  boolean maySplice() {
    return transport == Transport.EPOLL && pump != PumpMode.COPY && !hops.areEncrypted();
  }

  /** Whether bulk is left to the kernel, however little there is to do. */
  boolean mustSplice() {
    return maySplice() && pump == PumpMode.SPLICE && KernelPipe.missing() == null;
  }

  TestChain open(int relays, InetSocketAddress destination, StreamOptions options)
      throws Exception {
    List<RelayNode> row = new ArrayList<>();
    for (int i = 0; i < relays; i++) {
      row.add(TestRelay.on(transport).pump(pump).tls(hops.library()).start("r" + i));
    }
    return TestChain.over(row, destination, options, hops.areEncrypted());
  }
}
