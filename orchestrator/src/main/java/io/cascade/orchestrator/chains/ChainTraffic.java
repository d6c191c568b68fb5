package io.cascade.orchestrator.chains;

import io.cascade.api.client.RelayControlClient;
import io.cascade.api.orchestrator.ChainStream;
import io.cascade.api.orchestrator.ChainStreams;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.orchestrator.RelayTotals;
import io.cascade.api.orchestrator.StreamAtRelay;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.StreamList;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.relays.RelayControls;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Asks relays about the streams of a chain, on request. */
@Component
class ChainTraffic {
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private final RelayRegistry relays;
  private final RelayControls controls;
  private final RelayCalls calls;

  ChainTraffic(RelayRegistry relays, RelayControls controls, RelayCalls calls) {
    this.relays = relays;
    this.controls = controls;
    this.calls = calls;
  }

  /** Totals of the relays in the chain's order; relays that do not answer are left out. */
  List<RelayTotals> totals(Chain chain) {
    List<RelayTotals> totals = new ArrayList<>();
    ask(chain, client -> client.show(chain.id(), TIMEOUT))
        .forEach((relay, part) -> part.ifPresent(status -> totals.add(totals(relay, status))));
    return totals;
  }

  private static RelayTotals totals(String relay, PartStatus part) {
    StreamTotals of = part.totals();
    return RelayTotals.builder()
        .relay(relay)
        .running(of.running())
        .opened(of.opened())
        .completed(of.completed())
        .failed(of.failed())
        .forwardBytes(of.forwardBytes())
        .backwardBytes(of.backwardBytes())
        .warmConnections(part.warmConnections())
        .failures(of.failures())
        .heldBytes(of.heldBytes())
        .forwardStalls(of.forwardStalls())
        .backwardStalls(of.backwardStalls())
        .build();
  }

  /** Counters by relay; relays that do not answer are left out. */
  Map<String, StreamTotals> counters(Chain chain) {
    Map<String, StreamTotals> counters = new LinkedHashMap<>();
    ask(chain, client -> client.show(chain.id(), TIMEOUT))
        .forEach((relay, part) -> part.ifPresent(status -> counters.put(relay, status.totals())));
    return counters;
  }

  /** Reports by relay, in the chain's order; those that do not answer have nothing to report. */
  Map<String, List<StreamReport>> reports(Chain chain) {
    Map<String, List<StreamReport>> reports = new LinkedHashMap<>();
    ask(chain, client -> client.streams(chain.id(), TIMEOUT))
        .forEach((relay, answer) ->
            reports.put(relay, answer.map(StreamList::streams).orElse(List.of())));
    return reports;
  }

  /** The streams of a chain, newest first. */
  ChainStreams streams(Chain chain) {
    Map<UUID, List<Sighting>> sightings = new LinkedHashMap<>();
    List<String> unreachable = new ArrayList<>();
    ask(chain, client -> client.streams(chain.id(), TIMEOUT))
        .forEach((relay, answer) -> {
          if (answer.isEmpty()) {
            unreachable.add(relay);
          } else {
            for (StreamReport report : answer.get().streams()) {
              sightings
                  .computeIfAbsent(report.streamId(), _ -> new ArrayList<>())
                  .add(new Sighting(relay, report));
            }
          }
        });
    List<ChainStream> streams =
        sightings.entrySet().stream()
            .map(entry -> stream(entry.getKey(), entry.getValue()))
            .sorted(Comparator.comparing(ChainStream::openedAt).reversed())
            .toList();
    return new ChainStreams(streams, unreachable.isEmpty() ? null : unreachable);
  }

  private record Sighting(String relay, StreamReport report) {}

  private static ChainStream stream(UUID id, List<Sighting> sightings) {
    boolean failed = any(sightings, StreamState.FAILED);
    boolean running = any(sightings, StreamState.RUNNING);
    Instant openedAt = sightings.getFirst().report().openedAt();
    double duration = 0;
    String client = null;
    for (Sighting sighting : sightings) {
      StreamReport report = sighting.report();
      openedAt = report.openedAt().isBefore(openedAt) ? report.openedAt() : openedAt;
      duration = Math.max(duration, report.durationMillis());
      client = client == null ? report.client() : client;
    }
    return ChainStream.builder()
        .streamId(id)
        .state(failed ? "FAILED" : running ? "RUNNING" : "COMPLETED")
        .client(client)
        .openedAt(openedAt)
        .durationMillis(duration)
        .reason(reason(sightings, failed, running))
        .relays(sightings.stream().map(ChainTraffic::at).toList())
        .build();
  }

  private static boolean any(List<Sighting> sightings, StreamState state) {
    return sightings.stream().anyMatch(sighting -> sighting.report().state() == state);
  }

  /** The most specific reason: if one relay fails a stream, its neighbours see only a reset. */
  private static @Nullable String reason(
      List<Sighting> sightings, boolean failed, boolean running) {
    String found = null;
    for (Sighting sighting : sightings) {
      StreamReport report = sighting.report();
      String said = report.reason();
      boolean counts = failed ? report.state() == StreamState.FAILED : !running;
      if (said != null && counts && (found == null || found.equals("peer-reset"))) {
        found = said;
      }
    }
    return found;
  }

  private static StreamAtRelay at(Sighting sighting) {
    StreamReport report = sighting.report();
    return StreamAtRelay.builder()
        .relay(sighting.relay())
        .state(report.state().name())
        .forwardBytesIn(report.forward().bytesIn())
        .forwardBytesOut(report.forward().bytesOut())
        .backwardBytesIn(report.backward().bytesIn())
        .backwardBytesOut(report.backward().bytesOut())
        .peakHeldBytes(report.forward().peakHeldBytes() + report.backward().peakHeldBytes())
        .firstByteMillis(report.firstByteMillis())
        .warm(report.warm())
        .reason(report.reason())
        .detail(report.detail())
        .forwardStalls(report.forward().stalls())
        .backwardStalls(report.backward().stalls())
        .pipes(pipes(report))
        .build();
  }

  private static @Nullable List<PipeTotals> pipes(StreamReport report) {
    List<PipeTotals> pipes = report.pipes();
    return pipes == null || pipes.isEmpty() ? null : pipes;
  }

  private <T> Map<String, Optional<T>> ask(Chain chain, Function<RelayControlClient, T> question) {
    return calls.atOnce(
        chain.relays(),
        name -> relays.find(name).map(relay -> question.apply(controls.of(relay))),
        (_, _) -> Optional.empty());
  }
}
