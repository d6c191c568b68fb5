package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.AdviceList;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.DestinationAdvice;
import io.cascade.api.orchestrator.DestinationUse;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransferReport;
import io.cascade.api.relay.StreamTotals;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether relays would help where streams went. */
class AdviceTest {
  private static final HostPort DB = HostPort.parse("db.example:5432");

  @TempDir private Path state;
  private Rig rig;
  private FakeRelay near;
  private FakeRelay far;

  @BeforeEach
  void start() {
    rig = Rig.start(state);
    near = rig.relay("near").at("192.0.2.11");
    far = rig.relay("far").at("192.0.2.12");
    near.capacityBitsPerSecond = 1_000_000_000L;
    far.capacityBitsPerSecond = 1_000_000_000L;
    near.live();
    far.live();
    near.links.add(Rig.measured("far", 100_000, 0, 50));
    far.links.add(Rig.measured("near", 100_000, 0, 50));
    near.probe = request -> FakeRelay.reached(request, 0, 20, 100);
    far.probe = request -> FakeRelay.reached(request, 0, 0, 5);
    await().until(() -> rig.client().links().links().size() == 2);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void directStreamsOfARelaysProxyGetAdviceFromOnePlan() {
    near.destinations.add(
        DestinationUse.builder()
            .destination(DB.toString())
            .streams(12L)
            .bytes(3_000_000L)
            .bitsPerSecond(6.5e6)
            .build());
    near.beat();
    near.destinations.clear();
    await().until(() -> rig.client().advice(null, 20).destinations().getFirst().plan() != null);

    DestinationAdvice advice = rig.client().advice(DB, 20).destinations().getFirst();
    int probes = near.probes.size();

    assertThat(advice.destination()).isEqualTo(DB.toString());
    assertThat(advice.relay()).isEqualTo("near");
    assertThat(advice.streams()).isGreaterThanOrEqualTo(12);
    assertThat(advice.directBitsPerSecond()).isEqualTo(6.5e6);
    assertThat(advice.via()).isNull();
    assertThat(advice.advice()).startsWith("through near, far: ").contains("as fast as direct");
    assertThat(Objects.requireNonNull(advice.plan()).relays()).containsExactly("near", "far");
    assertThat(rig.client().advice(DB, 20).destinations()).hasSize(1);
    assertThat(near.probes).as("nobody connects again").hasSize(probes);
  }

  /** It asked for a plan before, with what it had measured. */
  @Test
  void whatAClientSentDirectlyGetsAdviceFromItsOwnQuestion() {
    Observation direct =
        Observation.builder().to("destination").sent(100L).lost(0L).rttMillis(40.0).build();
    PlanRequest asked =
        PlanRequest.builder()
            .destination(DB.toString())
            .source(
                Source.builder().observations(List.of(direct)).congestionControl("cubic").build())
            .build();
    Plan _ = rig.client().plan(asked);
    rig.client()
        .report(
            TransferReport.builder()
                .destination(DB.toString())
                .bytes(3_000_000L)
                .bitsPerSecond(4e6)
                .build());

    await().until(() -> rig.client().advice(DB, 1).destinations().getFirst().plan() != null);
    DestinationAdvice advice = rig.client().advice(DB, 1).destinations().getFirst();
    assertThat(advice.relay()).isNull();
    assertThat(advice.client()).isEqualTo("127.0.0.1");
    assertThat(advice.streams()).isEqualTo(1);
    assertThat(advice.directBitsPerSecond()).isEqualTo(4e6);
    assertThat(advice.advice()).isNotEmpty();
  }

  @Test
  void streamsOfAChainAreSeenWhereTheyEnter() {
    near.totals =
        StreamTotals.builder()
            .running(1L)
            .opened(3L)
            .completed(2L)
            .failed(0L)
            .forwardBytes(1_000L)
            .backwardBytes(500L)
            .heldBytes(0L)
            .inlets(List.of())
            .outlets(List.of())
            .build();
    Chain chain = rig.openVia("near", "far");

    await().until(() -> !rig.client().advice(null, 20).destinations().isEmpty());

    DestinationAdvice advice = rig.client().advice(null, 20).destinations().getFirst();
    assertThat(advice.destination()).isEqualTo(chain.destination());
    assertThat(advice.streams()).isEqualTo(3);
    assertThat(advice.bytes()).isEqualTo(1_500);
    assertThat(advice.via()).containsExactly("near", "far");
  }

  @Test
  void whatNobodySawGetsNoAdvice() {
    assertThat(rig.client().advice(DB, 20)).isEqualTo(new AdviceList(List.of()));
    assertThat(rig.call("GET", "/api/v1/advice?limit=0", null).status()).isEqualTo(400);
    assertThat(rig.call("GET", "/api/v1/advice?limit=101", null).status()).isEqualTo(400);
    assertThat(rig.call("GET", "/api/v1/advice?destination=no-port", null).status()).isEqualTo(422);
    assertThat(near.probes).isEmpty();
  }
}
