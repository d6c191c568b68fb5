package io.cascade.orchestrator.statistics;

import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.ChainStatistics;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.orchestrator.chains.ChainFact;
import io.cascade.orchestrator.chains.OpenChains;
import io.cascade.orchestrator.links.LinkTable;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.store.DatabaseHealth;
import io.cascade.orchestrator.time.Timekeeper;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The orchestrator's metrics. A scrape calls the relays for the state of chains.
 *
 * <p>Labels are bounded: the {@value #MOST_CHAINS} chains with the highest rates have series, the
 * first {@value #MOST_RELAYS} relays by name, and {@value #MOST_LINKS} links, those of open chains
 * first.
 */
@Component
class OrchestratorMetrics {
  static final int MOST_CHAINS = 100;
  static final int MOST_RELAYS = 1_000;
  static final int MOST_LINKS = 500;

  private static final String PREFIX = "cascade.orchestrator.";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final StatisticsBoard board;
  private final RelayRegistry relays;
  private final OpenChains chains;
  private final LinkTable links;
  private final Timekeeper time;

  private final Map<StateCounts, MultiGauge> others = new LinkedHashMap<>();
  private final MultiGauge relaysByStatus = gauges("relays", null, "Relays by how they are");
  private final MultiGauge chainsByState = gauges("chains", null, "Chains that have not ended");
  private final MultiGauge silence =
      gauges("relay.silence", "seconds", "Since a relay was last heard of");
  private final MultiGauge predicted =
      gauges("chain.predicted", "bits_per_second", "What the plan expects of one stream");
  private final MultiGauge achieved =
      gauges("chain.achieved", "bits_per_second", "Delivered at the chain's end");
  private final MultiGauge running =
      gauges("chain.streams.running", null, "Streams that run, at the ingress");
  private final MultiGauge rtt =
      gauges("link.rtt", "seconds", "Smoothed round-trip time between relays");
  private final MultiGauge loss =
      gauges("link.loss", "ratio", "Probes lost in this direction, of those in the window");

  OrchestratorMetrics(
      StatisticsBoard board,
      RelayRegistry relays,
      OpenChains chains,
      LinkTable links,
      List<StateCounts> counts,
      DatabaseHealth database,
      Timekeeper time) {
    this.board = board;
    this.relays = relays;
    this.chains = chains;
    this.links = links;
    this.time = time;
    for (StateCounts kind : counts) {
      others.put(kind, gauges(kind.name(), null, "By state: " + kind.name()));
    }
    Gauge.builder(PREFIX + "database.writable", database, it -> it.isWritable() ? 1 : 0)
        .description("1 where the last write to the database went well, else 0")
        .strongReference(true)
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    for (boolean ready : new boolean[] {true, false}) {
      // Registered at the start, so that rates include the first one.
      setup("setup", "A chain's set-up, from the first request to the last answer", ready);
      setup("setup.sequential", "What it would have cost, one relay after the other", ready);
    }
  }

  @EventListener
  void on(ChainFact.SetUp fact) {
    SetupReport report = fact.report();
    boolean ready = fact.ready();
    setup("setup", "A chain's set-up, from the first request to the last answer", ready)
        .record(millis(report.elapsedMillis()));
    setup("setup.sequential", "What it would have cost, one relay after the other", ready)
        .record(millis(report.sequentialMillis()));
    Double expected = report.predictedMillis();
    if (expected != null) {
      setup("setup.predicted", "What the model expected of the set-up", ready)
          .record(millis(expected));
    }
  }

  /** All series in Prometheus's text format. Calls the relays, so it blocks. */
  synchronized String scrape() {
    Statistics now = board.now();
    List<RegisteredRelay> known = relays.all();
    relaysByStatus.register(
        Arrays.stream(RelayStatus.values())
            .map(status ->
                row(
                    Tags.of("status", lower(status)),
                    known.stream().filter(relay -> relay.status() == status).count()))
            .toList(),
        true);
    var states = chains.byState();
    chainsByState.register(
        Arrays.stream(ChainState.values())
            .filter(state -> state != ChainState.CLOSED && state != ChainState.FAILED)
            .map(state -> row(Tags.of("state", lower(state)), states.getOrDefault(state, 0L)))
            .toList(),
        true);
    others.forEach((kind, gauge) ->
        gauge.register(
            kind.byState().entrySet().stream()
                .map(one -> row(Tags.of("state", one.getKey()), one.getValue()))
                .toList(),
            true));
    silence.register(
        known.stream()
            .limit(MOST_RELAYS)
            .map(relay ->
                row(
                    Tags.of("relay", relay.name()),
                    Math.max(0, Duration.between(relay.heardAt(), time.steady()).toMillis() / 1e3)))
            .toList(),
        true);
    showChains(now.chains());
    showLinks(now.chains());
    // On a platform thread, as in relays: on virtual threads, which serve requests, the JDK's
    // BufferedWriter starts with a small buffer and copies it for nearly every word.
    return CompletableFuture.supplyAsync(registry::scrape).join();
  }

  private void showChains(List<ChainStatistics> all) {
    List<ChainStatistics> busiest =
        all.stream()
            .sorted(Comparator.comparingDouble(OrchestratorMetrics::carries).reversed())
            .limit(MOST_CHAINS)
            .toList();
    running.register(
        busiest.stream().map(chain -> row(tags(chain), chain.runningStreams())).toList(), true);
    predicted.register(rows(busiest, Tags.empty(), ChainStatistics::predictedBitsPerSecond), true);
    List<Row<?>> rates = new ArrayList<>();
    rates.addAll(
        rows(busiest, Tags.of("direction", "forward"), ChainStatistics::forwardBitsPerSecond));
    rates.addAll(
        rows(busiest, Tags.of("direction", "backward"), ChainStatistics::backwardBitsPerSecond));
    achieved.register(rates, true);
  }

  /** Metrics of chains take precedence, since alerts are about them. */
  private void showLinks(List<ChainStatistics> open) {
    List<MeasuredLink> shown =
        links.all().stream()
            .filter(link -> !link.stale())
            .sorted(Comparator.comparing((MeasuredLink link) -> !isUsed(link, open)))
            .limit(MOST_LINKS)
            .toList();
    List<Row<?>> times = new ArrayList<>();
    List<Row<?>> losses = new ArrayList<>();
    for (MeasuredLink link : shown) {
      Tags ends = Tags.of("from", link.from(), "to", link.to());
      Double millis = link.counts().smoothedRttMillis();
      if (millis != null) {
        times.add(row(ends, millis / 1e3));
      }
      if (link.counts().sent() > 0) {
        losses.add(row(ends, (double) link.counts().lost() / link.counts().sent()));
      }
    }
    rtt.register(times, true);
    loss.register(losses, true);
  }

  private static boolean isUsed(MeasuredLink link, List<ChainStatistics> open) {
    return open.stream()
        .flatMap(chain -> chain.hops().stream())
        .anyMatch(hop -> hop.from().equals(link.from()) && hop.to().equals(link.to()));
  }

  private static List<Row<?>> rows(
      List<ChainStatistics> chains, Tags more, Function<ChainStatistics, @Nullable Double> value) {
    List<Row<?>> rows = new ArrayList<>();
    for (ChainStatistics chain : chains) {
      Double known = value.apply(chain);
      if (known != null) {
        rows.add(row(tags(chain).and(more), known));
      }
    }
    return rows;
  }

  private static double carries(ChainStatistics chain) {
    Double forward = chain.forwardBitsPerSecond();
    Double backward = chain.backwardBitsPerSecond();
    return (forward == null ? 0 : forward) + (backward == null ? 0 : backward);
  }

  private static Tags tags(ChainStatistics chain) {
    String name = chain.name();
    return Tags.of("chain", chain.chainId().toString(), "name", name == null ? "" : name);
  }

  private static Row<?> row(Tags tags, Number value) {
    return Row.of(tags, value);
  }

  private Timer setup(String name, String description, boolean ready) {
    return Timer.builder(PREFIX + name)
        .description(description)
        .tags("result", ready ? "ready" : "failed")
        .publishPercentileHistogram()
        .minimumExpectedValue(Duration.ofMillis(1))
        .maximumExpectedValue(Duration.ofSeconds(30))
        .register(registry);
  }

  private MultiGauge gauges(String name, @Nullable String unit, String description) {
    return MultiGauge.builder(PREFIX + name)
        .description(description)
        .baseUnit(unit)
        .register(registry);
  }

  private static Duration millis(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  @PreDestroy
  void close() {
    registry.close();
  }
}
