package io.cascade.gateway.scap;

import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.processing.ProcessorCounts;
import io.cascade.packets.scap.ScapCounts;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A splitter/combiner's metrics in the Prometheus text format. They are few, and all are read for
 * each request; labels are numbers of pipes and fixed words.
 */
final class ScapMetrics {
  private static final double MOST_EXACT = 1e15;

  private final StringBuilder text = new StringBuilder();

  private ScapMetrics() {}

  /** The page for Prometheus. Called on the thread that carries packets. */
  static String of(ScapHost host) {
    ScapMetrics metrics = new ScapMetrics();
    ScapCounts counts = host.counts();
    metrics.totals(counts);
    metrics.processors(counts.processors());
    metrics.pipes(host);
    return metrics.text.toString();
  }

  private void totals(ScapCounts counts) {
    family("cascade_scap_connections", "gauge", "Connections that have a record");
    count("cascade_scap_connections", "", counts.connections());
    family("cascade_scap_refused_connections_total", "counter", "Connections that found no room");
    count("cascade_scap_refused_connections_total", "", counts.refusedConnections());
    family("cascade_scap_held_bytes", "gauge", "Bytes of packets that wait for others");
    count("cascade_scap_held_bytes", "", counts.heldBytes());
    String hold = "cascade_scap_hold_seconds";
    family(hold, "summary", "How long packets waited for others");
    value(hold + "_sum", "", counts.releasedNanos() / 1e9);
    count(hold + "_count", "", counts.releasedPackets());
    String operations = "cascade_scap_operations_total";
    family(operations, "counter", "What became of packets");
    count(operations, "{op=\"deliver\"}", counts.split());
    count(operations, "{op=\"duplicate\"}", counts.duplicated());
    count(operations, "{op=\"delay\"}", counts.delayed());
    count(operations, "{op=\"drop\"}", counts.dropped());
    String unchanged = "cascade_scap_unsplit_packets_total";
    family(unchanged, "counter", "Packets that passed as they were");
    count(unchanged, "{why=\"not_tcp\"}", counts.notTcp());
    count(unchanged, "{why=\"no_record\"}", counts.withoutRecord());
    count(unchanged, "{why=\"unsent_acknowledged\"}", counts.unsentAcknowledged());
  }

  private void processors(ProcessorCounts counts) {
    String filtered = "cascade_scap_dupacks_filtered_total";
    family(filtered, "counter", "Duplicate acknowledgments that were dropped");
    count(filtered, "", counts.filteredAcks());
    String gaps = "cascade_scap_gaps_released_total";
    family(gaps, "counter", "Gaps that were given up");
    count(gaps, "{why=\"comparison\"}", counts.gapsByComparison());
    count(gaps, "{why=\"timer\"}", counts.gapsByTimer());
    count(gaps, "{why=\"memory\"}", counts.gapsByMemory());
  }

  private void pipes(ScapHost host) {
    pipe(host, "up", "gauge", "Whether it delivers", pipe -> pipe.up() ? 1 : 0);
    pipe(host, "employed", "gauge", "Whether it may be used", pipe -> pipe.employed() ? 1 : 0);
    pipe(
        host,
        "round_trip_seconds",
        "gauge",
        "Round trip without queues",
        pipe -> pipe.properties().roundTripNanos() / 1e9);
    pipe(
        host,
        "rate_bits_per_second",
        "gauge",
        "Rate of its slowest link",
        pipe -> (double) pipe.properties().bitsPerSecond());
    pipe(
        host,
        "loss_ratio",
        "gauge",
        "Share of packets that it loses",
        pipe -> pipe.properties().lossProbability());
    pipe(
        host,
        "sent_bytes_total",
        "counter",
        "Bytes that were given to it",
        pipe -> (double) pipe.sentBytes());
    pipe(
        host,
        "received_bytes_total",
        "counter",
        "Bytes that it brought",
        pipe -> (double) pipe.receivedBytes());
  }

  private void pipe(
      ScapHost host, String name, String type, String help, ToDoubleFunction<Pipe> reading) {
    String metric = "cascade_scap_pipe_" + name;
    family(metric, type, help);
    int number = 0;
    for (PipeSide side : host.sides()) {
      for (Pipe pipe : side.pipes().all()) {
        String device = side.specs().get(pipe.id().number()).device();
        String labels = "{pipe=\"%d\",device=\"%s\"}".formatted(number++, device);
        value(metric, labels, reading.applyAsDouble(pipe));
      }
    }
  }

  private void family(String name, String type, String help) {
    text.append("# HELP ").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void count(String name, String labels, long value) {
    text.append(name).append(labels).append(' ').append(value).append('\n');
  }

  private void value(String name, String labels, double value) {
    if (value == Math.rint(value) && Math.abs(value) < MOST_EXACT) {
      count(name, labels, (long) value);
      return;
    }
    text.append(name).append(labels).append(' ');
    text.append(String.format(Locale.ROOT, "%.9g", value)).append('\n');
  }
}
