package io.cascade.relay.telemetry;

import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopAddress;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The series of one coded hop, and their values until the next scrape. */
final class CodedSeries {
  private static final String PREFIX = "cascade.coded.";
  private static final List<String> MODES = List.of("start", "delay", "down", "compete", "drain");

  private final MeterRegistry registry;
  private final Tags hop;
  private final AtomicReference<CodedHop> latest;
  private final List<Meter> meters = new ArrayList<>();

  /**
   * @param hop the labels that {@link #tags} returns
   */
  CodedSeries(MeterRegistry registry, Tags hop, CodedHop first) {
    this.registry = registry;
    this.hop = hop;
    this.latest = new AtomicReference<>(first);
    gauge("loss.ratio", "Of packets sent of late", hop, now -> orUnknown(now.lossShare()));
    gauge("base.loss.ratio", "The path's own loss", hop, now -> orUnknown(now.baseLossShare()));
    gauge("rtt.seconds", "Smoothed round trip", hop, now -> orUnknown(now.roundTripMillis()) / 1e3);
    gauge(
        "capacity.bits",
        "Bit/s of the path, as seen",
        hop,
        now -> orUnknown(now.capacityBitsPerSecond()));
    gauge(
        "carrier", "1 over UDP, 0 over TCP", hop, now -> now.carrier() == CodedCarrier.UDP ? 1 : 0);
    for (String mode : MODES) {
      gauge(
          "mode",
          "1 for the mode that the rate controller is in",
          hop.and("mode", mode),
          now -> mode.equalsIgnoreCase(now.mode()) ? 1 : 0);
    }
    symbols("source", CodedHop::sourceSymbols);
    symbols("repair", CodedHop::repairSymbols);
  }

  /** Returns the labels of a hop: its chain, and its address as {@code 0.0.1}. */
  static Tags tags(UUID chain, HopAddress hop) {
    return Tags.of(
        "chain", chain.toString(), "hop", hop.segment() + "." + hop.pipe() + "." + hop.hop());
  }

  void show(CodedHop now) {
    latest.set(now);
  }

  void remove() {
    meters.forEach(registry::remove);
  }

  private void gauge(String name, String description, Tags tags, ToDoubleFunction<CodedHop> value) {
    meters.add(
        Gauge.builder(PREFIX + name, latest, of -> value.applyAsDouble(of.get()))
            .description(description)
            .tags(tags)
            .register(registry));
  }

  private static double orUnknown(@Nullable Double value) {
    return value == null ? Double.NaN : value;
  }

  private void symbols(String kind, ToDoubleFunction<CodedHop> value) {
    MonotonicCounter counted = new MonotonicCounter();
    meters.add(
        FunctionCounter.builder(
                PREFIX + "symbols", latest, of -> counted.of(value.applyAsDouble(of.get())))
            .description("Symbols sent: source, or repairs and those sent again")
            .tags(hop.and("kind", kind))
            .register(registry));
  }
}
