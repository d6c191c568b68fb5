package io.cascade.relay.telemetry;

import com.sun.management.ThreadMXBean;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.relay.probe.PacketTotals;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.Stall;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A relay's metrics. Values are read at each scrape; this class counts nothing.
 *
 * <p>The number of label values is bounded: streams have none, reasons are the few dozen codes of
 * the relay, and only the {@value #MOST_CHAINS} chains that carried most have series of their own,
 * which end with the chain. The other chains are combined under the label {@value #OTHERS}.
 */
public final class RelayMetrics implements AutoCloseable {
  static final int MOST_CHAINS = 100;
  static final int MOST_REASONS = 64;
  static final String OTHERS = "other";

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";
  private static final String FORWARDED = "Stream bytes passed on";
  private static final String SPLICED =
      "Of the bytes passed on, in both directions, those that went through pipes in the kernel";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** Strong reference, since the registry's counters refer to them weakly. */
  private final RelayReadings totals;

  private final PacketTotals probes;

  /** Reasons that have a series, by the metric's name. */
  private final Map<String, Set<String>> reasons = new HashMap<>();

  private final Map<String, ChainSeries> chains = new HashMap<>();
  private final Map<Tags, CodedSeries> coded = new HashMap<>();

  /** Totals of every installed chain at the last scrape. */
  private Map<String, ChainTotals> seen = new HashMap<>();

  /** Totals that chains counted while they were combined under {@link #OTHERS}. */
  private ChainTotals others = ChainTotals.none(OTHERS);

  private @Nullable ChainSeries othersSeries;

  /**
   * @param instance the process's identifier, for the info series
   */
  public RelayMetrics(
      String relay, String site, String instance, RelayReadings totals, PacketTotals probes) {
    this.totals = totals;
    this.probes = probes;
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads) {
      FunctionCounter.builder("jvm.allocated", threads, all -> all.getTotalThreadAllocatedBytes())
          .baseUnit("bytes")
          .description("Heap memory that was allocated since the start")
          .register(registry);
    }
    gauge("process.resident.memory", "bytes", "Memory of this process in RAM", _ -> resident());
    Gauge.builder("cascade.relay.info", () -> 1)
        .description("Which relay this is")
        .tags("relay", relay, "site", site, "instance", instance)
        .register(registry);

    gauge("streams.running", "", "Streams that run now", RelayReadings::runningStreams);
    gauge("held", "bytes", "Stream bytes held now", RelayReadings::heldBytes);
    gauge(
        "memory.budget",
        "bytes",
        "Most stream bytes that may be held",
        RelayReadings::memoryBudgetBytes);
    gauge(
        "network.buffers",
        "bytes",
        "Memory the network library took for buffers",
        RelayReadings::networkBufferBytes);
    gauge(
        "connections.warm",
        "",
        "Onward connections that are ready",
        RelayReadings::warmConnections);
    gauge("chains.installed", "", "Chain parts installed", RelayReadings::installedChains);
    gauge(
        "chains.unattended",
        "",
        "Chain parts that are served although their lease has run out",
        RelayReadings::unattendedChains);
    gauge(
        "rendezvous.waiting",
        "",
        "Connections that wait to be joined",
        RelayReadings::rendezvousWaiting);
    gauge(
        "rendezvous.left",
        "bytes",
        "What may still be passed on between joined ends today",
        RelayReadings::rendezvousLeftBytes);
    gauge("streams.limit", "", "Most streams at a time", RelayReadings::mostStreams);
    gauge(
        "test.budget",
        "bytes",
        "Most that throughput tests move in an hour",
        RelayReadings::testBudgetBytes);
    gauge(
        "test.budget.left",
        "bytes",
        "What throughput tests may still move",
        RelayReadings::testBudgetLeftBytes);
    counter(
        "test.moved",
        "bytes",
        "Sent and received by throughput tests",
        Tags.empty(),
        RelayReadings::testBytes);
    counter(
        "rendezvous.passed",
        "bytes",
        "Passed on between joined ends, both directions together",
        Tags.empty(),
        RelayReadings::rendezvousBytes);
    counter(
        "rendezvous.addresses",
        "",
        "Ends that were told their own address over UDP",
        Tags.empty(),
        RelayReadings::rendezvousAddresses);
    counter("streams.opened", "", "Streams opened", Tags.empty(), RelayReadings::openedStreams);
    for (Direction direction : Direction.values()) {
      Tags tags = Tags.of("direction", direction.name().toLowerCase(Locale.ROOT));
      counter("forwarded", "bytes", FORWARDED, tags, all -> all.bytes(direction));
      for (Stall cause : Stall.values()) {
        counter(
            "stalled",
            "seconds",
            "Time that directions waited, summed over all streams",
            tags.and("cause", cause.name().toLowerCase(Locale.ROOT)),
            all -> all.stalls(direction).seconds(cause));
      }
    }
    counter("spliced", "bytes", SPLICED, Tags.empty(), RelayReadings::splicedBytes);
    probeCounter("malformed", "Received packets that were no probes", PacketTotals::malformed);
    probeCounter("stray", "Answers that no probe was waiting for", PacketTotals::stray);
    probeCounter("unsent", "Packets the system would not send", PacketTotals::unsent);
  }

  /** Returns all series in Prometheus's text format. */
  public synchronized String scrape() {
    followReasons("streams.ended", "Streams that ended", RelayReadings::endedStreams);
    followReasons(
        "header.refusals",
        "Connections closed because of their hop header",
        RelayReadings::headerRefusals);
    followReasons(
        "pipes.refused", "Pipes of segments that were refused here", RelayReadings::refusedPipes);
    followReasons(
        "segments.reset", "Streams of segments that were reset", RelayReadings::resetSegments);
    followReasons(
        "tls.handshakes",
        "TLS handshakes of hops: full, resumed, failed",
        RelayReadings::tlsHandshakes);
    followReasons(
        "proxy.handshakes",
        "Connections to the SOCKS5 and the CONNECT port, by what they came to",
        RelayReadings::proxyHandshakes);
    followReasons(
        "rendezvous.requests",
        "Requests to the rendezvous port, by what they came to",
        RelayReadings::rendezvousRequests);
    followReasons(
        "throughput.tests",
        "Throughput tests by how they ended, or why they were refused",
        RelayReadings::throughputTests);
    followChains();
    followCoded();
    // On a platform thread: on a virtual one the JDK's BufferedWriter starts small and is copied
    // for nearly every word, some 20 MB for a page of metrics.
    return CompletableFuture.supplyAsync(registry::scrape).join();
  }

  @Override
  public void close() {
    registry.close();
  }

  private void gauge(
      String name, String unit, String description, ToDoubleFunction<RelayReadings> value) {
    String full = name.startsWith("process.") ? name : "cascade.relay." + name;
    Gauge.Builder<RelayReadings> gauge =
        Gauge.builder(full, totals, value).description(description).strongReference(true);
    (unit.isEmpty() ? gauge : gauge.baseUnit(unit)).register(registry);
  }

  private Meter counter(
      String name,
      String unit,
      String description,
      Tags tags,
      ToDoubleFunction<RelayReadings> value) {
    MonotonicCounter counted = new MonotonicCounter();
    FunctionCounter.Builder<RelayReadings> counter =
        FunctionCounter.builder(
                "cascade.relay." + name, totals, all -> counted.of(value.applyAsDouble(all)))
            .description(description)
            .tags(tags);
    return (unit.isEmpty() ? counter : counter.baseUnit(unit)).register(registry);
  }

  private void probeCounter(String kind, String description, ToDoubleFunction<PacketTotals> value) {
    FunctionCounter.builder("cascade.relay.probe.packets." + kind, probes, value)
        .description(description)
        .register(registry);
  }

  /** Adds series for reasons that appeared since the last scrape. */
  private void followReasons(
      String name, String description, Function<RelayReadings, Map<String, Long>> byReason) {
    Set<String> known = reasons.computeIfAbsent(name, _ -> new HashSet<>());
    for (String reason : byReason.apply(totals).keySet()) {
      if (known.size() < MOST_REASONS && known.add(reason)) {
        counter(
            name,
            "",
            description,
            Tags.of("reason", reason),
            all -> byReason.apply(all).getOrDefault(reason, 0L));
      }
    }
  }

  private void followChains() {
    List<ChainTotals> all =
        totals.chains().stream()
            .sorted(Comparator.comparingLong(ChainTotals::carriedBytes).reversed())
            .toList();
    Map<String, ChainTotals> busiest = new HashMap<>();
    all.stream().limit(MOST_CHAINS).forEach(chain -> busiest.put(chain.chain(), chain));
    chains
        .entrySet()
        .removeIf(entry -> {
          boolean gone = !busiest.containsKey(entry.getKey());
          if (gone) {
            entry.getValue().remove();
          }
          return gone;
        });
    busiest.forEach((id, chain) ->
        chains.computeIfAbsent(id, _ -> new ChainSeries(registry, chain)).show(chain));
    followOthers(all.stream().skip(MOST_CHAINS).toList());
    seen = new HashMap<>();
    all.forEach(chain -> seen.put(chain.chain(), chain));
  }

  /** Follows the {@value #MOST_CHAINS} chains that have sent most. */
  private void followCoded() {
    Map<Tags, CodedHop> all = new HashMap<>();
    totals
        .codedHops()
        .forEach(
            (chain, hops) -> hops.forEach(hop -> all.put(CodedSeries.tags(chain, hop.hop()), hop)));
    Map<Tags, CodedHop> busiest = new HashMap<>();
    all.entrySet().stream()
        .sorted(
            Comparator.comparingLong(
                    (Map.Entry<Tags, CodedHop> hop) -> hop.getValue().sourceSymbols())
                .reversed())
        .limit(MOST_CHAINS)
        .forEach(hop -> busiest.put(hop.getKey(), hop.getValue()));
    coded
        .entrySet()
        .removeIf(entry -> {
          boolean gone = !busiest.containsKey(entry.getKey());
          if (gone) {
            entry.getValue().remove();
          }
          return gone;
        });
    busiest.forEach((tags, hop) ->
        coded.computeIfAbsent(tags, _ -> new CodedSeries(registry, tags, hop)).show(hop));
  }

  /**
   * Adds what these chains counted since the last scrape, so that the sum stays continuous when a
   * chain is added or removed.
   */
  private void followOthers(List<ChainTotals> now) {
    ChainTotals shown = others;
    ChainTotals counted = others;
    for (ChainTotals chain : now) {
      ChainTotals fresh =
          chain.since(seen.getOrDefault(chain.chain(), ChainTotals.none(chain.chain())));
      counted = counted.plus(fresh.counted());
      shown = shown.plus(fresh);
    }
    others = counted;
    if (othersSeries != null) {
      othersSeries.show(shown);
    } else if (!now.isEmpty()) {
      othersSeries = new ChainSeries(registry, shown);
    }
  }

  private static double resident() {
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(RESIDENT))
          .map(line -> line.substring(RESIDENT.length()).replace("kB", "").strip())
          .mapToDouble(kibibytes -> 1_024.0 * Long.parseLong(kibibytes))
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException | UncheckedIOException | NumberFormatException e) {
      return Double.NaN; // not on Linux
    }
  }
}
