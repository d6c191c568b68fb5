package io.cascade.client.ways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.TransferEnd;
import io.cascade.api.orchestrator.TransferProgress;
import io.cascade.client.transfer.TransferListener;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.client.verbs.FakeOrchestrator;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProgressReportsTest {
  private static final HostPort TO = new HostPort("files.example.org", 7_420);
  private static final Duration OFTEN = Duration.ofMillis(1);
  private static final Duration NEVER = Duration.ofHours(1);
  private final TransferHeader header = new TransferHeader("secret-name.tar", 4_000);

  @SuppressWarnings("NullAway.Init")
  private FakeOrchestrator orchestrator;

  @BeforeEach
  void start() throws Exception {
    orchestrator = new FakeOrchestrator();
  }

  @AfterEach
  void stop() throws Exception {
    orchestrator.close();
  }

  private ProgressReports reports(Duration pause) {
    return new ProgressReports(
        new OrchestratorClient(URI.create(orchestrator.url()), null), TO, pause);
  }

  private static TransferListener begin(ProgressReports reports, TransferHeader header) {
    TransferListener listener = reports.of(header, TransferListener.SILENT);
    listener.started(header);
    return listener;
  }

  private TransferProgress awaitThat(java.util.function.Predicate<TransferProgress> condition) {
    await().until(() -> orchestrator.progressed.stream().anyMatch(condition));
    return orchestrator.progressed.stream().filter(condition).findFirst().orElseThrow();
  }

  @Test
  void aTransferIsToldOfWhileItRunsAndHowItEnded() {
    try (ProgressReports reports = reports(OFTEN)) {
      TransferListener listener = begin(reports, header);
      listener.moved(1_000);

      TransferProgress seen = awaitThat(one -> one.bytes() == 1_000);
      assertThat(seen.destination()).isEqualTo("files.example.org:7420");
      assertThat(seen.size()).isEqualTo(4_000);
      assertThat(seen.end()).isNull();

      listener.moved(4_000);
      reports.arrived();
    }

    TransferProgress last = orchestrator.progressed.getLast();
    assertThat(last.end()).isEqualTo(TransferEnd.ARRIVED);
    assertThat(last.bytes()).isEqualTo(4_000);
    assertThat(last.bitsPerSecond()).isPositive();
  }

  @Test
  void oneThatHasNotArrivedHasFailed() {
    try (ProgressReports reports = reports(OFTEN)) {
      begin(reports, header);
      awaitThat(_ -> true);
    }

    assertThat(orchestrator.progressed.getLast().end()).isEqualTo(TransferEnd.FAILED);
  }

  @Test
  void whatStoodAtTheReceiverBeforeIsNoRate() {
    try (ProgressReports reports = reports(OFTEN)) {
      TransferListener listener = begin(reports, header);
      listener.moved(3_000);
      awaitThat(one -> one.bytes() == 3_000);
      reports.arrived();
    }

    assertThat(orchestrator.progressed.getLast().bitsPerSecond()).isZero();
  }

  @Test
  void aShortOneIsNotToldOf() {
    try (ProgressReports reports = reports(NEVER)) {
      begin(reports, header).moved(4_000);
      reports.arrived();
    }

    assertThat(orchestrator.progressed).isEmpty();
  }

  @Test
  void anOrchestratorThatTakesNoneIsTriedAgain() {
    orchestrator.transfersStatus = 503;
    try (ProgressReports reports = reports(OFTEN)) {
      begin(reports, header).moved(1_000);
      await().until(() -> orchestrator.progressed.size() >= 2);
      orchestrator.transfersStatus = 204;
      int refused = orchestrator.progressed.size();

      await().until(() -> orchestrator.progressed.size() > refused + 1);
      reports.arrived();
    }

    assertThat(orchestrator.progressed.getLast().end()).isEqualTo(TransferEnd.ARRIVED);
  }

  @Test
  void theListenerBehindHearsAllAndNobodyIsToldWhereThereIsNoOrchestrator() {
    try (ProgressReports reports = new ProgressReports(null, TO)) {
      TransferListener next = new TransferListener() {};

      assertThat(reports.of(header, next)).isSameAs(next);
    }
  }
}
