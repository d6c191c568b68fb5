package io.cascade.studies.experiment;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainStreams;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayList;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.command.CommandException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Client for the orchestrator of an experiment's line, and for its relays. */
final class ChainClient {
  private static final Duration CALL = Duration.ofSeconds(20);
  private static final Duration OPENING = Duration.ofSeconds(60);
  private static final Duration REGISTRATION = Duration.ofSeconds(60);

  private final SiteLine line;
  private final SiteHttp orchestrator;

  ChainClient(SiteLine line) {
    this.line = line;
    this.orchestrator = line.orchestrator();
  }

  /**
   * An open chain.
   *
   * @param setup its duration; null if the orchestrator does not report it
   */
  record Opened(Chain chain, Result.@Nullable Setup setup) {}

  /** Waits until all relays have registered, which may be after their ports are open. */
  void awaitRelays() throws Exception {
    long deadline = System.nanoTime() + REGISTRATION.toNanos();
    while (registered() < line.relays()) {
      if (System.nanoTime() > deadline) {
        throw new CommandException(
            "only " + registered() + " of " + line.relays() + " relays registered");
      }
      Thread.sleep(50);
    }
  }

  private long registered() throws Exception {
    return orchestrator.call("GET", "/api/v1/relays", null, RelayList.class, CALL).relays().stream()
        .filter(relay -> relay.status() == RelayStatus.UP)
        .count();
  }

  /** Opens a cell's chain to a destination. */
  Opened open(Cell cell, InetSocketAddress target) throws Exception {
    long start = System.nanoTime();
    Chain chain =
        orchestrator.call("POST", "/api/v1/chains", request(cell, target), Chain.class, OPENING);
    double seconds = (System.nanoTime() - start) / 1e9;
    SetupReport report = chain.setup();
    return new Opened(
        chain,
        report == null
            ? null
            : new Result.Setup(
                seconds,
                report.elapsedMillis(),
                report.sequentialMillis(),
                report.predictedMillis()));
  }

  private static Map<String, Object> request(Cell cell, InetSocketAddress target) {
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
    return request;
  }

  void abort(Chain chain) throws Exception {
    orchestrator.call(
        "DELETE", "/api/v1/chains/" + chain.id() + "?abort=true", null, Chain.class, CALL);
  }

  /** Largest number of bytes that each relay of the chain held for one of its streams. */
  List<Long> held(Chain chain) throws Exception {
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

  /** Clients for the control endpoints of a cell's relays. */
  List<SiteHttp> controls(Cell cell) throws Exception {
    List<SiteHttp> controls = new ArrayList<>();
    for (int relay : cell.route().relays()) {
      Relay known = orchestrator.call("GET", "/api/v1/relays/r" + relay, null, Relay.class, CALL);
      Endpoint control = Objects.requireNonNull(known.control());
      controls.add(
          line.relay(relay, URI.create("http://" + control.host() + ":" + control.port())));
    }
    return controls;
  }
}
