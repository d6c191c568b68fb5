package io.cascade.testbed.experiment;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainStreams;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayList;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.command.Complaint;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.testbed.lab.CongestionControls;
import io.cascade.testbed.lab.Lab;
import io.cascade.testbed.lab.LabStatistics;
import io.cascade.testbed.lab.Site;
import io.cascade.testbed.lab.Topology;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A line of sites from source to destination with a relay at each one between, up for as many runs
 * as are wanted: links are given new shapes for every run instead of being built anew.
 *
 * <p>The orchestrator runs at the source, so that setting a chain up costs what it would cost
 * there. Links beyond those of a run's path pass everything on.
 */
public final class Workbench implements AutoCloseable {
  private static final Duration CALL = Duration.ofSeconds(20);
  private static final Duration REGISTRATION = Duration.ofSeconds(60);
  private static final double LONGEST_SECONDS = 300;
  private static final int WARM_UP_RUNS = 8;
  private static final long WARM_UP_BYTES = 2_000_000;
  private static final double WARM_UP_BITS_PER_SECOND = 50e6;
  private static final double ETHERNET_SHARE = 1500.0 / 1538;

  /** Rooms for the largest windows that an experiment asks for. */
  private static final String BUFFERS = "4096 262144 33554432";

  private final Lab lab;
  private final long seed;
  private final int relays;
  private final Site source;
  private final Site destination;
  private final SiteHttp orchestrator;

  private Workbench(Lab lab, long seed, int relays) {
    this.lab = lab;
    this.seed = seed;
    this.relays = relays;
    this.source = lab.site("source");
    this.destination = lab.site("destination");
    this.orchestrator = new SiteHttp(source, lab.orchestrator().orElseThrow(), lab.token());
  }

  /**
   * Brings one up.
   *
   * @param name of the lab, none other on this machine
   */
  public static Workbench up(String name, int relays, long seed) throws Exception {
    Workbench bench = new Workbench(Lab.up(topology(name, relays, seed)), seed, relays);
    try {
      for (int i = 0; i <= relays + 1; i++) {
        Site site = bench.lab.site(siteName(i, relays));
        site.call(() -> {
          // What one run learnt of the path must not help the next.
          sysctl("tcp_no_metrics_save", "1");
          sysctl("tcp_rmem", BUFFERS);
          sysctl("tcp_wmem", BUFFERS);
          return true;
        });
      }
      bench.awaitRelays();
      bench.warmUp();
    } catch (Exception e) {
      bench.close();
      throw e;
    }
    return bench;
  }

  private static Topology topology(String name, int relays, long seed) {
    List<Topology.SiteSpec> sites = new ArrayList<>();
    List<Topology.LinkSpec> links = new ArrayList<>();
    for (int i = 0; i <= relays + 1; i++) {
      boolean relay = i > 0 && i <= relays;
      sites.add(
          new Topology.SiteSpec(siteName(i, relays), "reno", relay ? List.of("r" + i) : List.of()));
      if (i > 0) {
        links.add(
            Topology.LinkSpec.symmetric(siteName(i - 1, relays), siteName(i, relays), passing()));
      }
    }
    return new Topology(name, seed, sites, links, "source", List.of());
  }

  private static String siteName(int index, int relays) {
    return index == 0 ? "source" : index > relays ? "destination" : "site" + index;
  }

  private static LinkShape passing() {
    return LinkShape.of(Duration.ZERO, LinkShape.UNLIMITED).withQueueBytes(4 << 20);
  }

  private static void sysctl(String name, String value) throws IOException {
    Files.writeString(Path.of("/proc/sys/net/ipv4", name), value);
  }

  /** A relay that serves has not always told the orchestrator yet. */
  private void awaitRelays() throws Exception {
    long deadline = System.nanoTime() + REGISTRATION.toNanos();
    while (registered() < relays) {
      if (System.nanoTime() > deadline) {
        throw new Complaint("only " + registered() + " of " + relays + " relays registered");
      }
      Thread.sleep(50);
    }
  }

  private long registered() throws Exception {
    return orchestrator.call("GET", "/api/v1/relays", null, RelayList.class, CALL).relays().stream()
        .filter(relay -> relay.status() == RelayStatus.UP)
        .count();
  }

  /** A few quick transfers through all relays, so that no measurement pays for cold code. */
  private void warmUp() throws InterruptedException {
    if (relays == 0) {
      return;
    }
    List<PathLink> quick =
        Collections.nCopies(relays + 1, new PathLink(0.001, 0, WARM_UP_BITS_PER_SECOND, 1 << 20));
    Cell cell =
        new Cell(
            "warm-up",
            Map.of(),
            quick,
            Route.firstRelays(relays),
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
      // One that fails is no measurement lost, and a real fault will show in every run.
      run("warm-up", new Run(cell, i));
    }
  }

  /** Measures. What goes wrong is in the result; only an interruption is thrown. */
  public Result run(String experiment, Run run) throws InterruptedException {
    Measured measured = new Measured();
    String at = Instant.now().toString();
    try {
      measure(run.cell(), measured);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      measured.failure = String.valueOf(e.getMessage());
    }
    return new Result(
        run.key(),
        experiment,
        run.cell().sweep(),
        run.cell().inputs(),
        run.repetition(),
        seed,
        at,
        measured.connectedSeconds,
        measured.firstByteSeconds,
        measured.seconds,
        measured.bytes,
        measured.steadyBitsPerSecond,
        measured.wholeBitsPerSecond,
        measured.setup,
        measured.links,
        measured.heldBytes,
        measured.queue,
        measured.failure,
        measured.besideBitsPerSecond);
  }

  /** What has been found out so far, so that a run that fails half way keeps its first half. */
  private static final class Measured {
    double connectedSeconds;
    @Nullable Double firstByteSeconds;
    @Nullable Double seconds;
    long bytes;
    @Nullable Double steadyBitsPerSecond;
    double wholeBitsPerSecond;
    Result.@Nullable Setup setup;
    List<Result.LinkCount> links = List.of();
    List<Long> heldBytes = List.of();
    List<Result.Held> queue = List.of();
    @Nullable String failure;
    @Nullable Double besideBitsPerSecond;
  }

  private void measure(Cell cell, Measured measured) throws Exception {
    control(source, cell.control());
    // A chain is set up over the path's delays but without its loss, which would make every
    // measurement wait for retransmitted control messages.
    shape(cell.links().stream().map(PathLink::withoutLoss).toList());
    try (Reception reception = Reception.at(destination, cell.route().connections())) {
      InetSocketAddress target = new InetSocketAddress(destination.address(), reception.port());
      Chain chain = cell.route().direct() ? null : open(cell, target, measured);
      try {
        if (chain != null) {
          Endpoint ingress = chain.ingress();
          if (ingress == null) {
            throw new IOException("the chain has no ingress");
          }
          target = new InetSocketAddress(ingress.host(), ingress.port());
        }
        shape(cell.links());
        LabStatistics before = lab.statistics();
        try (Neighbour neighbour = neighbour(cell)) {
          transfer(cell, target, reception, chain, neighbour, measured);
        }
        measured.links = counts(cell, before, lab.statistics());
        if (chain != null) {
          shape(cell.links().stream().map(PathLink::withoutLoss).toList());
          measured.heldBytes = held(chain);
        }
      } finally {
        if (chain != null) {
          shape(List.of());
          orchestrator.call(
              "DELETE", "/api/v1/chains/" + chain.id() + "?abort=true", null, Chain.class, CALL);
        }
      }
    }
    if (measured.failure == null
        && measured.links.stream().anyMatch(link -> link.overflowed() > 0)) {
      measured.failure = "the emulator could not keep up";
    }
  }

  private static void control(Site site, CongestionControl control) throws Exception {
    CongestionControls.<Exception>allow(() ->
        site.call(() -> {
          CongestionControls.choose(control.name().toLowerCase(Locale.ROOT));
          return true;
        }));
  }

  private void shape(List<PathLink> links) {
    for (int i = 0; i <= relays; i++) {
      LinkShape forward = passing();
      LinkShape backward = passing();
      if (i < links.size()) {
        PathLink link = links.get(i);
        backward =
            LinkShape.of(
                    Duration.ofNanos(Math.round(link.rttSeconds() / 2 * 1e9)),
                    // The emulator counts IP packets, the models what Ethernet makes of them.
                    Math.round(link.bitsPerSecond() * ETHERNET_SHARE))
                .withQueueBytes(link.queueBytes());
        forward = backward.withLoss(new Loss.Bernoulli(link.lossProbability()));
      }
      lab.link(siteName(i, relays), siteName(i + 1, relays)).shape(forward, backward);
    }
  }

  private Chain open(Cell cell, InetSocketAddress target, Measured measured) throws Exception {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("congestionControl", cell.hopControl().name().toLowerCase(Locale.ROOT));
    cell.bufferBytes().ifPresent(bytes -> options.put("bufferBytes", bytes));
    switch (cell.relaying()) {
      case Relaying.Pipelined _ -> {}
      case Relaying.StoreAndForward _ -> options.put("mode", "STORE_AND_FORWARD");
      case Relaying.Windows windows -> options.put("startAfterWindows", windows.count());
      case Relaying.Chunked chunked -> {
        options.put("chunkBytes", chunked.bytes());
        options.putIfAbsent("bufferBytes", chunked.bufferBytes());
      }
    }
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("destination", target.getHostString() + ":" + target.getPort());
    request.put("via", cell.route().relays().stream().map(relay -> "r" + relay).toList());
    request.put("setup", cell.setup());
    request.put("leaseSeconds", 600);
    request.put("options", options);
    long start = System.nanoTime();
    Chain chain =
        orchestrator.call("POST", "/api/v1/chains", request, Chain.class, Duration.ofSeconds(60));
    double seconds = (System.nanoTime() - start) / 1e9;
    SetupReport report = chain.setup();
    if (report != null) {
      measured.setup =
          new Result.Setup(
              seconds, report.elapsedMillis(), report.sequentialMillis(), report.predictedMillis());
    }
    return chain;
  }

  private void transfer(
      Cell cell,
      InetSocketAddress target,
      Reception reception,
      @Nullable Chain chain,
      Neighbour neighbour,
      Measured measured)
      throws Exception {
    try (Sender sender = Sender.connect(source, target, cell.route().connections());
        QueueWatch watch = watch(cell, chain, sender.connectedNanos())) {
      measured.connectedSeconds = (sender.connectedNanos() - sender.startNanos()) / 1e9;
      OptionalLong bytes = cell.bytes();
      sender.send(bytes.orElse(Long.MAX_VALUE / 2));
      boolean ended = reception.awaitEnd(bytes.isPresent() ? LONGEST_SECONDS : cell.seconds());
      long start = sender.connectedNanos();
      measured.bytes = reception.bytes();
      if (reception.firstNanos() < Long.MAX_VALUE) {
        measured.firstByteSeconds = (reception.firstNanos() - sender.startNanos()) / 1e9;
      }
      if (bytes.isEmpty()) {
        long end = start + Math.round(cell.seconds() * 1e9);
        long settled = start + Math.round(cell.warmupSeconds() * 1e9);
        measured.steadyBitsPerSecond = reception.bitsPerSecond(settled, end);
        measured.besideBitsPerSecond = neighbour.bitsPerSecond(settled, end);
        measured.wholeBitsPerSecond = reception.bitsPerSecond(start, end);
      } else if (ended && reception.bytes() == bytes.getAsLong()) {
        measured.seconds = (reception.lastNanos() - sender.startNanos()) / 1e9;
        measured.wholeBitsPerSecond = 8e9 * reception.bytes() / (reception.lastNanos() - start);
      } else {
        measured.failure = "not all had come after " + LONGEST_SECONDS + " s";
      }
      measured.queue = watch.samples();
    }
  }

  /** The connection from the last relay's site that shares its last link, if there is one. */
  private Neighbour neighbour(Cell cell) throws Exception {
    if (cell.beside().isEmpty()) {
      return Neighbour.NONE;
    }
    Site site = lab.site(siteName(cell.links().size() - 1, relays));
    control(site, cell.beside().get());
    return Neighbour.between(site, destination);
  }

  private QueueWatch watch(Cell cell, @Nullable Chain chain, long originNanos) throws Exception {
    if (chain == null || !cell.queueWatched()) {
      return QueueWatch.NONE;
    }
    List<SiteHttp> controls = new ArrayList<>();
    for (int relay : cell.route().relays()) {
      Relay known = orchestrator.call("GET", "/api/v1/relays/r" + relay, null, Relay.class, CALL);
      controls.add(
          new SiteHttp(
              lab.site(siteName(relay, relays)),
              URI.create("http://" + known.control().host() + ":" + known.control().port()),
              lab.token()));
    }
    return QueueWatch.start(controls, chain.id(), originNanos);
  }

  private List<Long> held(Chain chain) throws Exception {
    ChainStreams streams =
        orchestrator.call(
            "GET", "/api/v1/chains/" + chain.id() + "/streams", null, ChainStreams.class, CALL);
    List<Long> held = new ArrayList<>();
    for (String relay : chain.relays()) {
      held.add(
          streams.streams().stream()
              .flatMap(stream -> stream.relays().stream())
              .filter(report -> report.relay().equals(relay))
              .mapToLong(report -> report.peakHeldBytes())
              .max()
              .orElse(0));
    }
    return held;
  }

  private List<Result.LinkCount> counts(Cell cell, LabStatistics before, LabStatistics after) {
    List<Result.LinkCount> counts = new ArrayList<>();
    for (int i = 0; i < cell.links().size(); i++) {
      DirectionStatistics then = before.of(siteName(i, relays), siteName(i + 1, relays));
      DirectionStatistics now = after.of(siteName(i, relays), siteName(i + 1, relays));
      counts.add(
          new Result.LinkCount(
              now.takenPackets() - then.takenPackets(),
              now.forwardedPackets() - then.forwardedPackets(),
              now.lostPackets() - then.lostPackets(),
              now.droppedPackets() - then.droppedPackets(),
              now.overflowedPackets() - then.overflowedPackets()));
    }
    return counts;
  }

  @Override
  public void close() {
    lab.close();
  }
}
