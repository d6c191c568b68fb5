package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.LinkEvidence;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.time.ManualTime;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chains that are closed before relays are looked at again. */
class ShortChainsTest {
  @SuppressWarnings("NullAway.Init")
  private Rig rig;

  @BeforeEach
  void start(@TempDir Path state) {
    ManualTime time = ManualTime.from(Instant.parse("2026-01-01T12:00:00Z"));
    rig = Rig.start(state, settings -> settings.withClocks(time.clock(), time.nanos()));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void whatTheyCarriedIsEvidenceOfTheirLinks() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    Chain chain = rig.openVia("r1", "r2");
    relays.getFirst().totals = ended(5_000_000);

    rig.client().close(chain.id(), false);

    Link link =
        rig.client().links().links().stream()
            .filter(one -> one.from().equals("r1") && one.to().equals("r2"))
            .findFirst()
            .orElseThrow();
    assertThat(Objects.requireNonNull(link.evidence()))
        .filteredOn(one -> one.source() == EvidenceSource.STREAM)
        .singleElement()
        .extracting(LinkEvidence::sent, LinkEvidence::lost, LinkEvidence::bitsPerSecond)
        .containsExactly(4_000.0, 4.0, 10e6);
  }

  /** A stream of four seconds that has ended. */
  private static StreamTotals ended(long bytes) {
    HopConnections onward =
        HopConnections.builder()
            .hop(new HopAddress(0, 0, 1))
            .connections(0L)
            .meanRttMillis(41.0)
            .minRttMillis(40.0)
            .congestionWindowSegments(0L)
            .unackedSegments(0L)
            .notSentBytes(0L)
            .sentSegments(4_000L)
            .retransmittedSegments(4L)
            .ackedBytes(bytes)
            .busyMillis(4_000L)
            .receiverLimitedMillis(0L)
            .senderLimitedMillis(0L)
            .congestionControl("cubic")
            .build();
    return StreamTotals.builder()
        .running(0L)
        .opened(1L)
        .completed(1L)
        .failed(0L)
        .forwardBytes(bytes)
        .backwardBytes(0L)
        .heldBytes(0L)
        .forwardStalls(new Stalls(0.0, 3.5, 0.0))
        .backwardStalls(new Stalls(4.0, 0.0, 0.0))
        .inlets(List.of())
        .outlets(List.of(onward))
        .build();
  }
}
