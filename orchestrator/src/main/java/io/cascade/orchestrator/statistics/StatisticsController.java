package io.cascade.orchestrator.statistics;

import static java.util.Objects.requireNonNull;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.RateHistory;
import io.cascade.api.orchestrator.ScrapeTarget;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.orchestrator.chains.ChainRates;
import io.cascade.orchestrator.contract.StatisticsApi;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class StatisticsController implements StatisticsApi {
  private final StatisticsBoard board;
  private final OrchestratorMetrics metrics;
  private final RelayRegistry relays;
  private final ChainRates rates;

  StatisticsController(
      StatisticsBoard board, OrchestratorMetrics metrics, RelayRegistry relays, ChainRates rates) {
    this.rates = rates;
    this.relays = relays;
    this.board = board;
    this.metrics = metrics;
  }

  @Override
  public ResponseEntity<Statistics> statistics() {
    return ResponseEntity.ok(board.now());
  }

  @Override
  public ResponseEntity<RateHistory> rateHistory(Integer seconds) {
    return ResponseEntity.ok(rates.all(Duration.ofSeconds(seconds)));
  }

  @Override
  public ResponseEntity<List<ScrapeTarget>> metricsTargets() {
    return ResponseEntity.ok(
        relays.all().stream()
            .filter(relay -> relay.control() != null && !relay.hasStopped())
            .map(StatisticsController::target)
            .toList());
  }

  private static ScrapeTarget target(RegisteredRelay relay) {
    Endpoint control = requireNonNull(relay.control());
    return new ScrapeTarget(
        List.of(new HostPort(control.host(), control.port()).toString()),
        Map.of("relay", relay.name(), "site", relay.registration().site()));
  }

  @Override
  public ResponseEntity<String> metrics() {
    return ResponseEntity.ok()
        .header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        .body(metrics.scrape());
  }
}
