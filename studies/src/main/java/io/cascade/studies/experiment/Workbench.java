package io.cascade.studies.experiment;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.client.ways.Chains;
import io.cascade.lab.LabStatistics;
import io.cascade.lab.Site;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import io.cascade.model.tcp.CongestionControl;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A line of sites for any number of runs: links are reconfigured for every run instead of being
 * created anew.
 */
public final class Workbench implements AutoCloseable {
  private static final double LONGEST_SECONDS = 300;
  private static final int WARM_UP_RUNS = 8;
  private static final long WARM_UP_BYTES = 2_000_000;
  private static final double WARM_UP_BITS_PER_SECOND = 50e6;

  private final SiteLine line;
  private final ChainClient chains;
  private final long seed;

  private Workbench(SiteLine line, long seed) {
    this.line = line;
    this.chains = new ChainClient(line);
    this.seed = seed;
  }

  /**
   * Creates the line.
   *
   * @param name of the lab; no other on this machine has it
   */
  public static Workbench up(String name, int relays, long seed) throws Exception {
    Workbench bench = new Workbench(SiteLine.up(name, relays, seed), seed);
    try {
      bench.chains.awaitRelays();
      bench.warmUp();
    } catch (Exception e) {
      bench.close();
      throw e;
    }
    return bench;
  }

  /** Runs a few short transfers through all relays, so that no measurement runs cold code. */
  private void warmUp() throws InterruptedException {
    if (line.relays() == 0) {
      return;
    }
    List<PathLink> quick =
        Collections.nCopies(
            line.relays() + 1, new PathLink(0.001, 0, WARM_UP_BITS_PER_SECOND, 1 << 20));
    Cell cell =
        new Cell(
            "warm-up",
            Map.of(),
            quick,
            TransferPath.firstRelays(line.relays()),
            CongestionControl.CUBIC,
            CongestionControl.CUBIC,
            new Relaying.Pipelined(),
            SetupMode.PARALLEL,
            OptionalLong.empty(),
            OptionalLong.of(WARM_UP_BYTES),
            1,
            0,
            false,
            Optional.empty());
    for (int i = 0; i < WARM_UP_RUNS; i++) {
      // A failure here costs no measurement, and a real fault shows in every run.
      run("warm-up", new Run(cell, i));
    }
  }

  /** Measures a run. Failures are part of the result; only an interruption is thrown. */
  public Result run(String experiment, Run run) throws InterruptedException {
    Findings found = new Findings();
    String at = Instant.now().toString();
    try {
      measure(run.cell(), found);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      found.failure = String.valueOf(e.getMessage());
    }
    return found.result(experiment, run, seed, at);
  }

  private void measure(Cell cell, Findings found) throws Exception {
    SiteLine.control(line.source(), cell.control());
    // The set-up of a chain runs over the path's delays without its loss, because with loss every
    // measurement would wait for retransmitted control messages.
    line.shape(withoutLoss(cell));
    try (TrafficSink sink = TrafficSink.at(line.destination(), cell.route().connections())) {
      InetSocketAddress target = new InetSocketAddress(line.destination().address(), sink.port());
      if (cell.route().direct()) {
        measure(cell, target, sink, null, found);
      } else {
        measureThroughChain(cell, target, sink, found);
      }
    }
    if (found.failure == null && found.links.stream().anyMatch(link -> link.overflowed() > 0)) {
      found.failure = "the emulator could not keep up";
    }
  }

  private void measureThroughChain(
      Cell cell, InetSocketAddress target, TrafficSink sink, Findings found) throws Exception {
    ChainClient.Opened opened = chains.open(cell, target);
    Chain chain = opened.chain();
    found.setup = opened.setup();
    try {
      HostPort ingress = Chains.ingress(chain);
      measure(cell, new InetSocketAddress(ingress.host(), ingress.port()), sink, chain, found);
      line.shape(withoutLoss(cell));
      found.heldBytes = chains.held(chain);
    } finally {
      line.shape(List.of());
      chains.abort(chain);
    }
  }

  private static List<PathLink> withoutLoss(Cell cell) {
    return cell.links().stream().map(PathLink::withoutLoss).toList();
  }

  private void measure(
      Cell cell, InetSocketAddress target, TrafficSink sink, @Nullable Chain chain, Findings found)
      throws Exception {
    line.shape(cell.links());
    LabStatistics before = line.statistics();
    try (Neighbour neighbour = neighbour(cell)) {
      transfer(cell, target, sink, chain, neighbour, found);
    }
    found.links = line.counts(cell.links().size(), before, line.statistics());
  }

  private void transfer(
      Cell cell,
      InetSocketAddress target,
      TrafficSink sink,
      @Nullable Chain chain,
      Neighbour neighbour,
      Findings found)
      throws Exception {
    try (Sender sender = Sender.connect(line.source(), target, cell.route().connections());
        QueueWatch watch = watch(cell, chain, sender.connectedNanos())) {
      found.connectedSeconds = (sender.connectedNanos() - sender.startNanos()) / 1e9;
      OptionalLong bytes = cell.bytes();
      sender.send(bytes.orElse(Long.MAX_VALUE / 2));
      boolean ended = sink.awaitEnd(bytes.isPresent() ? LONGEST_SECONDS : cell.seconds());
      long start = sender.connectedNanos();
      found.bytes = sink.bytes();
      if (sink.firstNanos() < Long.MAX_VALUE) {
        found.firstByteSeconds = (sink.firstNanos() - sender.startNanos()) / 1e9;
      }
      if (bytes.isEmpty()) {
        long end = start + Math.round(cell.seconds() * 1e9);
        long settled = start + Math.round(cell.warmupSeconds() * 1e9);
        found.steadyBitsPerSecond = sink.bitsPerSecond(settled, end);
        found.besideBitsPerSecond = neighbour.bitsPerSecond(settled, end);
        found.wholeBitsPerSecond = sink.bitsPerSecond(start, end);
      } else if (ended && sink.bytes() == bytes.getAsLong()) {
        found.seconds = (sink.lastNanos() - sender.startNanos()) / 1e9;
        found.wholeBitsPerSecond = 8e9 * sink.bytes() / (sink.lastNanos() - start);
      } else {
        found.failure = "not all had come after " + LONGEST_SECONDS + " s";
      }
      found.queue = watch.samples();
    }
  }

  /**
   * Starts the connection from the last relay's site that shares its last link, if there is one.
   */
  private Neighbour neighbour(Cell cell) throws Exception {
    if (cell.beside().isEmpty()) {
      return Neighbour.NONE;
    }
    Site site = line.site(cell.links().size() - 1);
    SiteLine.control(site, cell.beside().get());
    return Neighbour.between(site, line.destination());
  }

  private QueueWatch watch(Cell cell, @Nullable Chain chain, long originNanos) throws Exception {
    return chain == null || !cell.queueWatched()
        ? QueueWatch.NONE
        : QueueWatch.start(chains.controls(cell), chain.id(), originNanos);
  }

  @Override
  public void close() {
    line.close();
  }
}
