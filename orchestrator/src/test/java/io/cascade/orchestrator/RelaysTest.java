package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Event;
import io.cascade.api.orchestrator.EventType;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.LinkHistory;
import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.api.orchestrator.LinkSpan;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.relay.Limits;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked
class RelaysTest extends RigTest {
  @Test
  void aRelayLearnsHowOftenToReportAndWhomToMeasure() {
    FakeRelay r1 = rig.live("r1");
    FakeRelay r2 = rig.relay("r2");

    RelayInstructions instructions = r2.announce();

    assertThat(instructions.heartbeatSeconds()).isEqualTo(Rig.HEARTBEAT.toMillis() / 1e3);
    assertThat(instructions.peers())
        .containsExactly(new RelayPeer("r1", r1.hop().host(), r1.hop().port()));
  }

  @Test
  void aRelayIsToldOfItsPeersAgainOnlyWhenTheyHaveChanged() {
    FakeRelay r1 = rig.relay("r1").register();
    FakeRelay r2 = rig.relay("r2");
    r2.peersVersion = r2.announce().peersVersion();

    assertThat(r2.report().peers()).as("the same").isNull();
    rig.relay("r3").register();
    RelayInstructions more = r2.report();
    assertThat(more.peers()).extracting(RelayPeer::name).containsExactly("r1", "r3");
    r2.peersVersion = more.peersVersion();
    assertThat(r2.report().peers()).as("the same").isNull();
    rig.client().forget("r3");
    assertThat(r2.report().peers()).extracting(RelayPeer::name).containsExactly("r1");
    r1.at("127.0.0.2").register();
    assertThat(r2.report().peers()).extracting(RelayPeer::host).containsExactly("127.0.0.2");
  }

  @Test
  void theVersionOfPeersOutlivesTheOrchestrator() {
    rig.relay("r1").register();
    FakeRelay r2 = rig.relay("r2");
    r2.peersVersion = r2.announce().peersVersion();
    rig.stop();
    rig.startAgain();

    assertThat(r2.report().peers()).isNull();
  }

  @Test
  void aRelayThatNamesNoVersionIsToldAllItsPeers() {
    rig.relay("r1").register();
    FakeRelay r2 = rig.relay("r2").register();

    assertThat(r2.report().peers()).hasSize(1);
    assertThat(r2.report().peers()).hasSize(1);
  }

  @Test
  void aRelayIsShownAsItRegistered() {
    FakeRelay r1 = rig.live("r1");

    Relay shown = rig.client().relay("r1");

    RelayRegistration said = r1.registration();
    assertThat(shown.status()).isEqualTo(RelayStatus.UP);
    assertThat(shown.site()).isEqualTo("berlin");
    assertThat(shown.instance()).isEqualTo(said.instance());
    assertThat(shown.control()).isEqualTo(said.control());
    assertThat(shown.restarts()).isZero();
    assertThat(rig.client().relays().relays()).extracting(Relay::name).containsExactly("r1");
  }

  @Test
  void limitsOfARunningRelayAreChangedAndShown() {
    FakeRelay r1 = rig.live("r1");
    RelayLimits wanted = RelayLimits.builder().maxStreams(7).streamBytes(65_536L).build();

    RelayLimits changed = rig.client().change("r1", wanted);

    assertThat(changed)
        .isEqualTo(
            RelayLimits.builder()
                .maxStreams(7)
                .memoryBytes(64L << 20)
                .streamBytes(65_536L)
                .drainSeconds(30)
                .build());
    assertThat(r1.limits)
        .isEqualTo(
            Limits.builder()
                .maxStreams(7)
                .memoryBytes(64L << 20)
                .streamBytes(65_536L)
                .drainSeconds(30)
                .build());
    assertThat(rig.client().change("r1", wanted)).as("once more").isEqualTo(changed);
    assertThat(rig.client().limits("r1")).isEqualTo(changed);
    assertThat(rig.client().relay("r1").limits()).isEqualTo(changed);
  }

  @Test
  void whereARelayJoinsTwoEndsIsShown() {
    rig.live("r1");

    assertThat(rig.client().relay("r1").rendezvous()).isEqualTo(new Endpoint("127.0.0.1", 7_414));
  }

  @Test
  void limitsThatAreNoneAreRefused() {
    rig.live("r1");

    problem(
        () -> rig.client().change("r1", RelayLimits.builder().maxStreams(0).build()),
        400,
        "invalid-request",
        "maxStreams");
    problem(() -> rig.client().limits("r9"), 404, "unknown-relay", "r9");
  }

  @Test
  void limitsOfARelayThatDoesNotAnswerAreNotGuessed() {
    FakeRelay r1 = rig.live("r1");
    r1.die();

    problem(() -> rig.client().limits("r1"), 502, "relay-unreachable", "r1");
  }

  @Test
  void aHeartbeatOfAnUnknownRelayIsToldToRegister() {
    problem(() -> rig.relay("stranger").beat(), 404, "unknown-relay", "stranger");
  }

  @Test
  void threeMissedHeartbeatsLoseARelayAndTheNextOneBringsItBack() {
    FakeRelay r1 = rig.live("r1");
    FakeRelay r2 = rig.live("r2");
    r1.stopBeating();

    await().until(() -> rig.client().relay("r1").status() == RelayStatus.LOST);
    assertThat(r2.announce().peers()).isEmpty();

    r1.beat();
    assertThat(rig.client().relay("r1").status()).isEqualTo(RelayStatus.UP);
    assertThat(types()).containsSubsequence(EventType.RELAY_LOST, EventType.RELAY_RECOVERED);
  }

  @Test
  void aRelayThatSaysGoodbyeHasStoppedAndIsNotMissed() {
    FakeRelay r1 = rig.live("r1");
    r1.stopBeating();
    r1.stopping = true;
    r1.beat();

    assertThat(rig.client().relay("r1").status()).isEqualTo(RelayStatus.STOPPED);
    assertThat(types()).contains(EventType.RELAY_STOPPED).doesNotContain(EventType.RELAY_LOST);
    assertThat(rig.live("r2").announce().peers()).as("nobody probes it").isEmpty();

    r1.stopping = false;
    r1.register();

    assertThat(rig.client().relay("r1").status()).isEqualTo(RelayStatus.UP);
  }

  @Test
  void aDrainingRelaySaysSoOnce() {
    FakeRelay r1 = rig.relay("r1").register();
    r1.draining = true;
    r1.beat().beat();

    assertThat(rig.client().relay("r1").status()).isEqualTo(RelayStatus.DRAINING);
    assertThat(types()).containsOnlyOnce(EventType.RELAY_DRAINING);
  }

  @Test
  void nothingNewGoesThroughADrainedRelayUntilThatIsTakenBack() {
    rig.live("r1", "r2");
    Chain open = rig.openVia("r1");

    assertThat(rig.client().drain("r1").status()).isEqualTo(RelayStatus.DRAINING);
    rig.relays().forEach(FakeRelay::beat);

    assertThat(rig.client().relay("r1").status()).isEqualTo(RelayStatus.DRAINING);
    assertThat(rig.client().relay("r1").drained()).isTrue();
    assertThat(rig.client().relay("r2").drained()).isNull();
    problem(() -> rig.openVia("r1"), 409, "relay-draining", "r1");
    assertThat(rig.state(open.id())).isEqualTo(ChainState.READY);

    rig.stop();
    rig.startAgain();
    assertThat(rig.client().relay("r1").drained()).isTrue();
    assertThat(rig.client().relay("r1").status()).isEqualTo(RelayStatus.DRAINING);

    assertThat(rig.client().useAgain("r1").status()).isEqualTo(RelayStatus.UP);
    rig.relays().forEach(FakeRelay::beat);
    assertThat(rig.openVia("r1").state()).isEqualTo(ChainState.READY);
    problem(() -> rig.client().drain("r9"), 404, "unknown-relay", "r9");
  }

  @Test
  void aForgottenRelayIsGoneWithItsLinksAndMayRegisterAnew() {
    FakeRelay r1 = rig.relay("r1").register();
    FakeRelay r2 = rig.relay("r2").register();
    r1.links.add(Rig.measured("r2", 10, 0, 20));
    r1.beat();
    assertThat(rig.client().links().links()).hasSize(1);

    rig.client().forget("r2");

    assertThat(rig.client().links().links()).isEmpty();
    problem(() -> rig.client().relay("r2"), 404, "unknown-relay", "known: r1");
    r2.register();
    assertThat(rig.client().relay("r2").restarts()).isZero();
  }

  @Test
  void aRelayThatAChainUsesIsNotForgotten() {
    rig.live("r1");
    UUID chain = rig.openVia("r1").id();

    problem(() -> rig.client().forget("r1"), 409, "relay-in-use", chain.toString());

    rig.client().close(chain, false);
    rig.client().forget("r1");
    assertThat(rig.client().relays().relays()).isEmpty();
  }

  @Test
  void theWordsForTheEndsOfARouteAreNoNames() {
    problem(() -> rig.relay("destination").register(), 400, "invalid-request", "destination");
    problem(() -> rig.relay("source").register(), 400, "invalid-request", "source");
  }

  @Test
  void linksCarryCountsWithTheirUncertainty() {
    FakeRelay r1 = rig.relay("r1");
    r1.capacityBitsPerSecond = 50_000_000L;
    r1.register();
    rig.relay("r2").register();
    r1.links.add(Rig.measured("r2", 500, 1, 20));
    r1.beat().beat();

    Link link = rig.client().links().links().getFirst();

    assertThat(link.from()).isEqualTo("r1");
    assertThat(link.to()).isEqualTo("r2");
    assertThat(link.probesSent()).isEqualTo(1_000);
    assertThat(link.probesLost()).isEqualTo(2);
    // Clopper and Pearson's two-sided 95 % for 2 of 1000.
    assertThat(link.lossRateLow()).isCloseTo(0.000242, org.assertj.core.data.Offset.offset(2e-6));
    assertThat(link.lossRateHigh()).isCloseTo(0.007206, org.assertj.core.data.Offset.offset(2e-6));
    assertThat(link.minRttMillis()).isEqualTo(20);
    assertThat(link.capacityBitsPerSecond()).isEqualTo(50_000_000L);
    assertThat(link.stale()).isFalse();
  }

  @Test
  void aLinksPastDayCanBeLookedBackOn() {
    FakeRelay r1 = rig.relay("r1").register();
    rig.relay("r2").register();
    r1.links.add(Rig.measured("r2", 500, 1, 20));
    r1.beat().beat();

    LinkHistory history = rig.client().linkHistory("r1", "r2");

    assertThat(history.spans()).isNotEmpty();
    assertThat(history.spans().stream().mapToLong(LinkSpan::probesSent).sum()).isEqualTo(1_000);
    assertThat(history.spans().stream().mapToLong(LinkSpan::probesLost).sum()).isEqualTo(2);
    assertThat(history.spans().getFirst().minRttMillis()).isEqualTo(20);
    problem(() -> rig.client().linkHistory("r2", "r1"), 404, "unknown-link", "r2 to r1");
  }

  @Test
  void aLinkThatNobodyMeasuresAnyMoreIsStale() {
    FakeRelay r1 = rig.relay("r1").register();
    rig.relay("r2").register();
    r1.links.add(Rig.measured("r2", 10, 0, 20));
    r1.beat();

    await().until(() -> rig.client().links().links().getFirst().stale());
  }

  @Test
  void measurementsToWhoIsNotRegisteredAreLeftOut() {
    FakeRelay r1 = rig.relay("r1").register();
    r1.links.add(Rig.measured("ghost", 10, 0, 20));
    r1.links.add(Rig.measured("r1", 10, 0, 20));
    r1.beat();

    assertThat(rig.client().links().links()).isEmpty();
  }

  @Test
  void countsThatCannotBeAreRefused() {
    FakeRelay r1 = rig.relay("r1").register();
    r1.links.add(LinkMeasurement.builder().peer("r2").sent(10L).received(10L).lost(11L).build());

    problem(r1::beat, 400, "invalid-request", "lost 11 of 10");
  }

  private List<EventType> types() {
    return rig.events().stream().map(Event::type).toList();
  }

  static void problem(Runnable call, int status, String kind, String words) {
    assertThatThrownBy(call::run)
        .asInstanceOf(type(ProblemException.class))
        .satisfies(problem -> {
          assertThat(problem.status()).isEqualTo(status);
          assertThat(problem.type()).isEqualTo("urn:cascade:problem:" + kind);
          assertThat(problem).hasMessageContaining(words);
        });
  }
}
