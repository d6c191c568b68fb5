package io.cascade.relay.telemetry;

import io.cascade.carriage.transport.TcpTotals;
import io.cascade.relay.pump.Stall;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The series with one chain's label, and the totals that they show until the next scrape. */
final class ChainSeries {
  private static final String PREFIX = "cascade.relay.chain.";

  private final MeterRegistry registry;
  private final Tags chain;
  private final AtomicReference<ChainTotals> latest;
  private final List<Meter> meters = new ArrayList<>();
  private final Set<String> reasons = new HashSet<>();

  ChainSeries(MeterRegistry registry, ChainTotals first) {
    this.registry = registry;
    this.chain = Tags.of("chain", first.chain());
    this.latest = new AtomicReference<>(first);
    gauge("streams.running", null, "Streams of a chain that run now", ChainTotals::runningStreams);
    gauge("held", "bytes", "Stream bytes of a chain held now", ChainTotals::heldBytes);
    gauge(
        "connections.warm",
        null,
        "Connections of a chain that are ready",
        ChainTotals::warmConnections);
    direction("forward", ChainTotals::forward);
    direction("backward", ChainTotals::backward);
    pipes();
    hop("inlet", ChainTotals::inlet);
    hop("onward", ChainTotals::onward);
    show(first);
  }

  void show(ChainTotals totals) {
    latest.set(totals);
    for (String reason : totals.ended().keySet()) {
      if (reasons.size() < RelayMetrics.MOST_REASONS && reasons.add(reason)) {
        counter(
            "streams.ended",
            null,
            "Streams of a chain that ended",
            Tags.of("reason", reason),
            all -> all.ended().getOrDefault(reason, 0L));
      }
    }
  }

  void remove() {
    meters.forEach(registry::remove);
  }

  private void direction(String name, Function<ChainTotals, ChainTotals.Carried> of) {
    Tags direction = Tags.of("direction", name);
    counter(
        "forwarded",
        "bytes",
        "Stream bytes of a chain passed on",
        direction,
        all -> of.apply(all).bytes());
    for (Stall cause : Stall.values()) {
      counter(
          "stalled",
          "seconds",
          "Time that a chain's directions waited, summed over its streams",
          direction.and("cause", cause.name().toLowerCase(Locale.ROOT)),
          all -> of.apply(all).stalls().seconds(cause));
    }
  }

  private void pipes() {
    gauge("pipes.running", null, "Pipes of a chain's streams now", all -> all.pipes().running());
    Tags none = Tags.empty();
    counter("pipes.opened", null, "Pipes of a chain's streams", none, all -> all.pipes().opened());
    counter(
        "pipes.lost",
        null,
        "Pipes that ended before their streams",
        none,
        all -> all.pipes().lost());
    counter(
        "pipes.moved",
        null,
        "Pipes that were withdrawn from running streams",
        none,
        all -> all.pipes().moved());
    counter(
        "pipes.sent",
        "bytes",
        "Given to pipes, frames and what was sent again included",
        none,
        all -> all.pipes().sentBytes());
    counter(
        "pipes.received",
        "bytes",
        "That came over pipes, frames included",
        none,
        all -> all.pipes().receivedBytes());
  }

  private void hop(String name, Function<ChainTotals, TcpTotals> of) {
    Tags hop = Tags.of("hop", name);
    gauge("hop.connections", null, "Connections of streams", hop, of, TcpTotals::connections);
    gauge(
        "hop.rtt",
        "seconds",
        "Mean of the connections' smoothed round-trip times",
        hop,
        of,
        tcp -> tcp.connections() == 0 ? 0 : tcp.meanRtt().toNanos() / 1e9);
    gauge(
        "hop.min.rtt",
        "seconds",
        "Least round-trip time of the connections",
        hop,
        of,
        tcp -> tcp.connections() == 0 ? 0 : tcp.minRtt().toNanos() / 1e9);
    gauge(
        "hop.congestion.window",
        "segments",
        "Congestion windows, all together",
        hop,
        of,
        TcpTotals::congestionWindowSegments);
    gauge(
        "hop.unacked",
        "segments",
        "Sent and not acknowledged",
        hop,
        of,
        TcpTotals::unackedSegments);
    gauge("hop.unsent", "bytes", "Waiting in the kernel", hop, of, TcpTotals::notSentBytes);
    counter(
        "hop.sent",
        "segments",
        "Segments with data that were sent",
        hop,
        all -> of.apply(all).sentSegments());
    counter(
        "hop.retransmitted",
        "segments",
        "Segments that were sent again",
        hop,
        all -> of.apply(all).retransmittedSegments());
  }

  private void gauge(
      String name, @Nullable String unit, String description, ToDoubleFunction<ChainTotals> value) {
    meters.add(
        Gauge.builder(PREFIX + name, latest, of -> value.applyAsDouble(of.get()))
            .description(description)
            .baseUnit(unit)
            .tags(chain)
            .register(registry));
  }

  private void gauge(
      String name,
      @Nullable String unit,
      String description,
      Tags hop,
      Function<ChainTotals, TcpTotals> of,
      ToDoubleFunction<TcpTotals> value) {
    meters.add(
        Gauge.builder(PREFIX + name, latest, all -> value.applyAsDouble(of.apply(all.get())))
            .description(description)
            .baseUnit(unit)
            .tags(chain.and(hop))
            .register(registry));
  }

  private void counter(
      String name,
      @Nullable String unit,
      String description,
      Tags tags,
      ToDoubleFunction<ChainTotals> value) {
    MonotonicCounter counted = new MonotonicCounter();
    meters.add(
        FunctionCounter.builder(
                PREFIX + name, latest, of -> counted.of(value.applyAsDouble(of.get())))
            .description(description)
            .baseUnit(unit)
            .tags(chain.and(tags))
            .register(registry));
  }
}
