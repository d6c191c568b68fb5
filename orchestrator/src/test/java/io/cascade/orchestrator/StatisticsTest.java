package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainStatistics;
import io.cascade.api.orchestrator.HopStatistics;
import io.cascade.api.orchestrator.RelayStatistics;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.Problem;
import io.cascade.api.relay.ProcessTotals;
import io.cascade.api.relay.StreamTotals;
import io.cascade.contract.HopAddresses;
import io.cascade.testing.Golden;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@NullUnmarked
class StatisticsTest extends RigTest {
  @Test
  void theFirstLookHasTotalsAndNoRates() {
    rig.live("r1", "r2");
    Chain chain = rig.openVia("r1", "r2");

    Statistics first = rig.client().statistics();

    assertThat(first.overSeconds()).isNull();
    assertThat(first.relays())
        .extracting(RelayStatistics::relay, RelayStatistics::answered, RelayStatistics::chains)
        .containsExactly(tuple("r1", true, 1), tuple("r2", true, 1));
    ChainStatistics shown = first.chains().getFirst();
    assertThat(shown.chainId()).isEqualTo(chain.id());
    assertThat(shown.openedStreams()).isEqualTo(3);
    assertThat(shown.heldBytes()).as("of both relays").isEqualTo(1_024);
    assertThat(shown.forwardBitsPerSecond()).isNull();
    assertThat(shown.bottleneck()).isNull();
    assertThat(shown.hops())
        .extracting(hop -> HopAddresses.text(hop.hop()), HopStatistics::from, HopStatistics::to)
        .containsExactly(
            tuple("0.0.0", "source", "r1"),
            tuple("0.0.1", "r1", "r2"),
            tuple("0.0.2", "r2", "destination"));
    HopStatistics middle = shown.hops().get(1);
    assertThat(middle.meanRttMillis()).isEqualTo(25.5);
    assertThat(middle.notSentBytes()).isEqualTo(8_192);
    assertThat(shown.hops().getFirst().meanRttMillis())
        .as("as the ingress sees it")
        .isEqualTo(12.5);
  }

  @Test
  void aLaterLookHasRatesAndNamesTheBottleneck() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    rig.openVia("r1", "r2");
    // From here on every look has an earlier one to compare with.
    await().until(() -> rig.client().statistics().overSeconds() != null);
    // Ten million bytes later: r1 waited for its way on, r2 for data.
    relays.get(0).totals = totals(10_000_000, new Stalls(0.0, 100.0, 0.0), 3_000, 107);
    relays.get(1).totals = totals(10_000_000, new Stalls(100.0, 0.0, 0.0), 3_000, 7);

    Statistics later =
        await()
            .until(
                rig.client()::statistics,
                look -> look.chains().getFirst().forwardBitsPerSecond() > 0);

    ChainStatistics chain = later.chains().getFirst();
    double seconds = later.overSeconds();
    assertThat(chain.forwardBitsPerSecond() * seconds).isCloseTo(8e7, within(8e4));
    assertThat(chain.backwardBitsPerSecond()).isZero();
    assertThat(chain.bottleneck()).isEqualTo("the hop from r1 to r2");
    HopStatistics hop = chain.hops().get(1);
    assertThat(hop.bottleneck()).isTrue();
    assertThat(hop.retransmittedShare()).isEqualTo(0.1);
    assertThat(hop.forwardStalls().sink()).isEqualTo(1.0);
    assertThat(later.relays().getFirst().forwardBitsPerSecond())
        .isEqualTo(chain.forwardBitsPerSecond());
  }

  @Test
  void aRelaysShareOfItsProcessorsIsByItsOwnClockAndUnknownOfAnOlderVersion() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    relays.getFirst().process = new ProcessTotals(100.0, 30.0, 4);
    await().until(() -> rig.client().statistics().overSeconds() != null);
    relays.getFirst().process = new ProcessTotals(102.0, 32.0, 4);

    List<RelayStatistics> later =
        await()
            .until(
                () -> rig.client().statistics().relays(),
                look -> look.getFirst().processorShare() != null);

    assertThat(later)
        .extracting(
            RelayStatistics::uptimeSeconds,
            RelayStatistics::processors,
            RelayStatistics::processorShare)
        .containsExactly(tuple(102.0, 4, 0.25), tuple(null, null, null));
  }

  @Test
  void aRelayThatDoesNotAnswerIsSaidNotTo() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    rig.openVia("r1", "r2");
    relays.get(1).before =
        exchange -> {
          if (!exchange.getRequestURI().getPath().endsWith("/chains")) {
            return false;
          }
          FakeRelay.answer(
              exchange,
              500,
              Problem.builder().type("about:blank").title("Broken").status(500).build());
          return true;
        };

    Statistics look = rig.client().statistics();

    assertThat(look.relays())
        .extracting(RelayStatistics::relay, RelayStatistics::answered)
        .containsExactly(tuple("r1", true), tuple("r2", false));
    assertThat(look.chains().getFirst().hops().get(2).meanRttMillis()).isNull();
  }

  @Test
  @Tag(Golden.TAG)
  void metricsTellOfRelaysChainsLinksAndSetUps() {
    List<FakeRelay> relays = rig.live("r1", "r2");
    relays.getFirst().links.add(Rig.measured("r2", 200, 4, 20));
    await().until(() -> !rig.client().links().links().isEmpty());
    Chain chain = rig.openVia("r1", "r2");
    rig.client().statistics();
    relays.forEach(relay -> relay.totals = totals(5_000_000, new Stalls(1.0, 0.0, 0.0), 10, 0));
    await().until(() -> rig.client().statistics().overSeconds() != null);

    Rig.Response answer = rig.call("GET", "/api/v1/metrics", null);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.type()).startsWith("text/plain");
    assertThat(answer.body().lines())
        .contains(
            "cascade_orchestrator_relays{status=\"up\"} 2.0",
            "cascade_orchestrator_relays{status=\"lost\"} 0.0",
            "cascade_orchestrator_chains{state=\"ready\"} 1.0",
            "cascade_orchestrator_link_rtt_seconds{from=\"r1\",to=\"r2\"} 0.0205",
            "cascade_orchestrator_setup_seconds_count{result=\"ready\"} 1",
            "cascade_orchestrator_setup_seconds_count{result=\"failed\"} 0",
            "cascade_orchestrator_setup_sequential_seconds_count{result=\"ready\"} 1");
    Golden.checkMetrics(
        "orchestrator",
        answer
            .body()
            .lines()
            // Only there once round trips of control connections were measured.
            .filter(line -> !line.contains("_setup_predicted_")));
    assertThat(answer.body())
        .contains("cascade_orchestrator_link_loss_ratio{from=\"r1\",to=\"r2\"} 0.02")
        .contains("cascade_orchestrator_relay_silence_seconds{relay=\"r1\"}")
        .contains(
            "cascade_orchestrator_chain_achieved_bits_per_second{chain=\""
                + chain.id()
                + "\",direction=\"forward\"");
  }

  private static StreamTotals totals(
      long forwardBytes, Stalls forward, long sentSegments, long retransmittedSegments) {
    return StreamTotals.builder()
        .running(1L)
        .opened(3L)
        .completed(1L)
        .failed(1L)
        .forwardBytes(1_000 + forwardBytes)
        .backwardBytes(2_000L)
        .failures(Map.of("peer-reset", 1L))
        .heldBytes(512L)
        .forwardStalls(new Stalls(1 + forward.dataSeconds(), 2 + forward.sinkSeconds(), 0.5))
        .backwardStalls(new Stalls(3.0, 0.25, 0.0))
        .inlets(
            List.of(
                HopConnections.builder()
                    .hop(FakeRelay.NOWHERE)
                    .connections(1L)
                    .meanRttMillis(12.5)
                    .minRttMillis(10.0)
                    .congestionWindowSegments(20L)
                    .unackedSegments(5L)
                    .notSentBytes(4_096L)
                    .sentSegments(1_000L)
                    .retransmittedSegments(3L)
                    .build()))
        .outlets(
            List.of(
                HopConnections.builder()
                    .hop(FakeRelay.NOWHERE)
                    .connections(1L)
                    .meanRttMillis(25.5)
                    .minRttMillis(20.0)
                    .congestionWindowSegments(40L)
                    .unackedSegments(6L)
                    .notSentBytes(8_192L)
                    .sentSegments(sentSegments)
                    .retransmittedSegments(retransmittedSegments)
                    .build()))
        .build();
  }
}
