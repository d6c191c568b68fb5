package io.cascade.relay.telemetry;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToDoubleFunction;

/** The series of one coded hop, and what they show until the next scrape. */
final class CodedSeries {
  private static final String PREFIX = "cascade.coded.";
  private static final List<String> MODES = List.of("start", "delay", "down", "compete", "drain");

  private final MeterRegistry registry;
  private final Tags hop;
  private final AtomicReference<CodedReading> latest;
  private final List<Meter> meters = new ArrayList<>();

  CodedSeries(MeterRegistry registry, CodedReading first) {
    this.registry = registry;
    this.hop = Tags.of("chain", first.chain(), "hop", first.hop());
    this.latest = new AtomicReference<>(first);
    gauge("loss.ratio", "Of packets sent of late", hop, CodedReading::lossRatio);
    gauge("base.loss.ratio", "The path's own loss", hop, CodedReading::baseLossRatio);
    gauge("rtt.seconds", "Smoothed round trip", hop, CodedReading::roundTripSeconds);
    gauge("capacity.bits", "Bit/s of the path, as seen", hop, CodedReading::capacityBits);
    gauge("carrier", "1 over UDP, 0 over TCP", hop, reading -> reading.isUdp() ? 1 : 0);
    for (String mode : MODES) {
      gauge(
          "mode",
          "1 for the mode that the rate controller is in",
          hop.and("mode", mode),
          reading -> reading.mode().toLowerCase(Locale.ROOT).equals(mode) ? 1 : 0);
    }
    symbols("source", CodedReading::sourceSymbols);
    symbols("repair", CodedReading::repairSymbols);
  }

  void show(CodedReading reading) {
    latest.set(reading);
  }

  void remove() {
    meters.forEach(registry::remove);
  }

  private void gauge(
      String name, String description, Tags tags, ToDoubleFunction<CodedReading> value) {
    meters.add(
        Gauge.builder(PREFIX + name, latest, of -> value.applyAsDouble(of.get()))
            .description(description)
            .tags(tags)
            .register(registry));
  }

  private void symbols(String kind, ToDoubleFunction<CodedReading> value) {
    MonotonicCounter counted = new MonotonicCounter();
    meters.add(
        FunctionCounter.builder(
                PREFIX + "symbols", latest, of -> counted.of(value.applyAsDouble(of.get())))
            .description("Symbols sent: source, or repairs and those sent again")
            .tags(hop.and("kind", kind))
            .register(registry));
  }
}
