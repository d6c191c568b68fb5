package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.LinkCorrection;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.relay.DirectionReport;
import io.cascade.api.relay.StreamReport;
import io.cascade.api.relay.StreamState;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What chains achieve comes back into the next plan. */
@NullUnmarked
class CorrectionsTest {
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private Rig rig;
  private FakeRelay r1;
  private FakeRelay r2;
  private @Nullable ChainOptions options;

  @BeforeEach
  void start(@TempDir Path state) {
    rig = Rig.start(state);
    r1 = rig.relay("r1");
    r2 = rig.relay("r2");
    r1.capacityBitsPerSecond = 1_000_000_000L;
    r1.live();
    r2.live();
    r1.links.add(Rig.measured("r2", 10_000, 5, 60));
    r1.beat();
    r1.links.clear();
    await().until(() -> !rig.client().links().links().isEmpty());
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void aLinkThatTurnsOutSlowerIsPlannedSlowerAndSaysWhy() {
    double predicted = linkHop(open()).bitsPerSecond();
    for (int i = 0; i < 12; i++) {
      carry(predicted / 2, 4 * MIB, 0);
    }

    LinkCorrection correction = rig.client().corrections().corrections().getFirst();
    assertThat(correction.from()).isEqualTo("r1");
    assertThat(correction.to()).isEqualTo("r2");
    assertThat(correction.congestionControl()).isEqualTo("cubic");
    assertThat(correction.streams()).isEqualTo(12);
    assertThat(correction.ratio()).isEqualTo(0.5, within(0.05));
    assertThat(correction.factor()).isBetween(0.5, 0.8);
    HopPrediction hop = linkHop(open());
    assertThat(hop.bitsPerSecond())
        .isEqualTo(correction.factor() * predicted, within(1e-3 * predicted));
    assertThat(hop.correction()).isEqualTo(correction.factor(), within(1e-3));
    assertThat(hop.basis()).containsPattern("x0\\.\\d\\d learned from 12 transfers");
  }

  @Test
  void aStreamThatNoLinkHeldBackTeachesNothing() {
    double predicted = linkHop(open()).bitsPerSecond();
    carry(predicted / 2, 0, 0);
    carry(predicted / 2, 4 * MIB, 4 * MIB);

    assertThat(rig.client().corrections().corrections()).isEmpty();
  }

  /** The plan reckoned with another sender, so that the link is not to blame. */
  @Test
  void aHopThatSendsOtherwiseThanItsChainTeachesNothing() {
    double predicted = linkHop(open()).bitsPerSecond();
    for (Map<String, ?> own :
        List.of(
            Map.of("hop", 0, "congestionControl", "reno"),
            Map.of("hop", 0, "pacingBitsPerSecond", 1_000_000))) {
      options = Json.strict().convertValue(Map.of("hops", List.of(own)), ChainOptions.class);
      carry(predicted / 2, 4 * MIB, 0);
    }
    assertThat(rig.client().corrections().corrections()).isEmpty();

    options =
        Json.strict()
            .convertValue(
                Map.of("hops", List.of(Map.of("hop", 0, "keepAliveSeconds", 60))),
                ChainOptions.class);
    carry(predicted / 2, 4 * MIB, 0);
    assertThat(rig.client().corrections().corrections()).hasSize(1);
  }

  @Test
  void aStreamTeachesOnce() {
    double predicted = linkHop(open()).bitsPerSecond();
    carry(predicted / 2, 4 * MIB, 0);
    rig.client().close(open().id(), false);

    assertThat(rig.client().corrections().corrections().getFirst().streams()).isEqualTo(1);
  }

  @Test
  void whatWasLearnedOutlivesTheOrchestrator() {
    carry(linkHop(open()).bitsPerSecond() / 2, 4 * MIB, 0);
    rig.stop();
    rig.startAgain();

    assertThat(rig.client().corrections().corrections()).hasSize(1);
  }

  @Test
  void oneLinkOrAllCanBeForgotten() {
    carry(linkHop(open()).bitsPerSecond() / 2, 4 * MIB, 0);

    rig.client().resetCorrection("r2", "r1");
    assertThat(rig.client().corrections().corrections()).hasSize(1);
    rig.client().resetCorrection("r1", "r2");
    assertThat(rig.client().corrections().corrections()).isEmpty();

    carry(linkHop(open()).bitsPerSecond() / 2, 4 * MIB, 0);
    rig.client().resetCorrections();
    assertThat(rig.client().corrections().corrections()).isEmpty();
    rig.stop();
    rig.startAgain();
    assertThat(rig.client().corrections().corrections()).isEmpty();
  }

  /** One chain, one stream of a minute at this rate, closed again. */
  private void carry(double bitsPerSecond, long heldAtIngress, long heldAtEgress) {
    Chain chain = open();
    UUID stream = UUID.randomUUID();
    long bytes = Math.round(bitsPerSecond / 8 * 60);
    r1.streams = List.of(report(stream, bytes, heldAtIngress));
    r2.streams = List.of(report(stream, bytes, heldAtEgress));
    rig.client().close(chain.id(), false);
  }

  private static StreamReport report(UUID stream, long bytes, long peakHeld) {
    return StreamReport.builder()
        .streamId(stream)
        .state(StreamState.COMPLETED)
        .openedAt(Instant.parse("2026-01-01T00:00:00Z"))
        .durationMillis(60_000.0)
        .firstByteMillis(0.1)
        .client("127.0.0.1:5")
        .onward("127.0.0.1:6")
        .warm(true)
        .forward(
            DirectionReport.builder()
                .bytesIn(bytes)
                .bytesOut(bytes)
                .heldBytes(0L)
                .peakHeldBytes(peakHeld)
                .finished(true)
                .splicedBytes(0L)
                .build())
        .backward(
            DirectionReport.builder()
                .bytesIn(0L)
                .bytesOut(0L)
                .heldBytes(0L)
                .peakHeldBytes(0L)
                .finished(true)
                .splicedBytes(0L)
                .build())
        .reason("completed")
        .build();
  }

  private Chain open() {
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(Rig.DESTINATION)
                .via(List.of("r1", "r2"))
                .bytes(GIB)
                .source(Rig.beside("r1"))
                .options(options)
                .build(),
            null);
  }

  private static HopPrediction linkHop(Chain chain) {
    Plan plan = chain.plan();
    return plan.candidates().stream()
        .filter(candidate -> candidate.kind() == CandidateKind.CASCADE)
        .filter(candidate -> candidate.relays().equals(List.of("r1", "r2")))
        .findFirst()
        .orElseThrow()
        .hops()
        .get(1);
  }
}
