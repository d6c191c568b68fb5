package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.api.relay.HopOptions;
import io.cascade.api.relay.StreamOptions;
import io.cascade.api.relay.ThroughputTest;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/**
 * What relays offer to send with, in tests, plans and chains. Relay {@code near} stands beside the
 * source, {@code mid} half-way; the destination is on the host of {@code there}. All links lose 0.2
 * % and carry 100 Mbit/s, of which CUBIC gets a few.
 */
@NullUnmarked
class PlannedControlsTest extends RigTest {
  private static final String THERE = "192.0.2.7";
  private static final List<String> ALL = List.of("reno", "cubic", "bbr");

  private FakeRelay near;
  private FakeRelay mid;

  @Test
  void linksAreTestedWithWhatMayFillThemAndThePlanSaysWhatToSendWith() {
    network(ALL, ALL);

    Plan plan = rig.client().plan(question(null, 5.0));

    assertThat(near.tests)
        .filteredOn(test -> test.peer().equals("mid"))
        .extracting(ThroughputTest::congestionControl)
        .containsExactly("bbr");
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.relays()).containsExactly("near", "mid");
    assertThat(plan.summary()).contains("hrough near and mid, BBR from near on");
    assertThat(cascade(plan).hops())
        .extracting(HopPrediction::congestionControl)
        .containsExactly("cubic", "bbr", "bbr");
    assertThat(cascade(plan).hops())
        .extracting(HopPrediction::usualCongestionControl)
        .containsExactly(null, "cubic", "cubic");
  }

  @Test
  void aRequestLimitsWhatMayBeUsed() {
    network(ALL, ALL);
    Plan _ = rig.client().plan(question(null, 5.0));

    Plan own = rig.client().plan(question(List.of(), null));

    assertThat(cascade(own).hops())
        .extracting(HopPrediction::congestionControl)
        .containsOnly("cubic");
    assertThatThrownBy(() -> rig.client().plan(question(List.of("warp"), null)))
        .isInstanceOf(ProblemException.class)
        .hasMessageContaining("'warp' (expected: some of reno, cubic, bbr, bbr3)");
  }

  @Test
  void bothEndsOfAHopAreToldWhatThePlanSays() {
    network(ALL, ALL);
    Plan _ = rig.client().plan(question(null, 5.0));

    Chain chain = open();

    assertThat(near.heldPart(chain.id()).inlets().getFirst().options()).isNull();
    assertThat(control(near.heldPart(chain.id()).outlets().getFirst().options())).isEqualTo("bbr");
    assertThat(control(mid.heldPart(chain.id()).inlets().getFirst().options())).isEqualTo("bbr");
    assertThat(control(mid.heldPart(chain.id()).outlets().getFirst().options())).isEqualTo("bbr");
    assertThat(controls(chain)).containsExactly(null, "bbr", "bbr");
  }

  /** As {@code send --via near,mid --controls cubic,bbr} asks. */
  @Test
  void controlsOfNamedRelaysAreChosenWithoutASourceWhereTheRequestSaysAmongWhich() {
    network(ALL, ALL);
    Plan _ = rig.client().plan(question(null, 5.0));

    Chain chain = open(null, null, question(List.of("cubic", "bbr"), 0.0));

    assertThat(control(near.heldPart(chain.id()).outlets().getFirst().options())).isEqualTo("bbr");
    assertThat(control(mid.heldPart(chain.id()).outlets().getFirst().options())).isEqualTo("bbr");
  }

  /** The end that may not use it sends with its own. */
  @Test
  void aRelayIsNotToldWhatItDoesNotOffer() {
    network(ALL, List.of("reno", "cubic"));
    Plan _ = rig.client().plan(question(null, 5.0));

    Chain chain = open();

    assertThat(chain.plan().summary()).contains("hrough near and mid, BBR on near→mid");
    assertThat(control(near.heldPart(chain.id()).outlets().getFirst().options())).isEqualTo("bbr");
    assertThat(options(mid, chain)).isNull();
    assertThat(controls(chain)).containsExactly(null, "bbr", null);
  }

  /** A chain through named relays has no plan. */
  @Test
  void hopsOfWhichNobodyChoseTheControlRespondToTheirLosses() {
    network(ALL, ALL);

    Chain chain = open(null, null, null);

    assertThat(options(near, chain)).isNull();
    assertThat(near.heldPart(chain.id()).outlets().getFirst().options()).isNull();
    assertThat(mid.heldPart(chain.id()).inlets().getFirst().options()).isNull();
  }

  /** As {@code send --via near,mid --controls own} asks. */
  @Test
  void whoAllowsNoOtherControlGetsTheRelaysOwnOnAllConnections() {
    network(ALL, List.of("cubic"));

    Chain chain = open(null, null, question(List.of(), 0.0));

    assertThat(options(near, chain).congestionControl()).isEqualTo("cubic");
    assertThat(options(mid, chain)).as("of a relay that offers nothing else").isNull();
  }

  /** Losses leave CUBIC a third of 9 Mbit/s, which is too much for BBR to be fair. */
  @Test
  void aHopOfWhichThePlanChoseTheUsualControlKeepsIt() {
    network(ALL, ALL);
    near.throughput =
        test ->
            "bbr".equals(test.congestionControl())
                ? FakeRelay.report(test, 9e6, 30_000, 60, 20.5)
                : FakeRelay.report(test, 3e6, 4_000, 8, 20.5);
    Plan _ = rig.client().plan(question(null, 5.0));

    Chain chain = open();

    assertThat(cascade(chain.plan()).hops().get(1).usualCongestionControl()).isNull();
    assertThat(control(near.heldPart(chain.id()).outlets().getFirst().options()))
        .isEqualTo("cubic");
    assertThat(control(mid.heldPart(chain.id()).inlets().getFirst().options())).isEqualTo("cubic");
  }

  @Test
  void aHopIsCodedWhereThatIsClearlyFasterAndNobodySaysOtherwise() {
    network(ALL, ALL, 2);
    near.offersCoded = true;
    mid.offersCoded = true;
    near.live();
    mid.live();
    Plan _ = rig.client().plan(question(null, 5.0)); // Which has the links tested.

    Plan plan = rig.client().plan(question(List.of(), null));
    Chain unsaid = open(beside("near"), null, question(List.of(), null));
    Chain auto = open(beside("near"), options(TransportChoice.AUTO), question(List.of(), null));
    Chain tcp = open(beside("near"), options(TransportChoice.TCP), question(List.of(), null));
    Chain paced = open(beside("near"), paced(50_000_000L), question(List.of(), null));

    assertThat(transports(plan)).containsExactly(null, TransportChoice.CODED, null);
    assertThat(plan.summary()).contains("CODED on near→mid");
    assertThat(plan.notes())
        .anyMatch(note -> note.startsWith("Coded hops: near–mid, ") && note.contains("with cubic"));
    assertThat(transport(near, unsaid)).isEqualTo(io.cascade.api.relay.TransportChoice.CODED);
    assertThat(transport(near, auto)).isEqualTo(io.cascade.api.relay.TransportChoice.CODED);
    assertThat(transport(near, tcp)).isNull();
    assertThat(transport(near, paced)).isNull();
    assertThat(mid.heldPart(unsaid.id()).outlets().getFirst().options()).isNull();
  }

  /** A request that names what TCP sends with has said that it is TCP. */
  @Test
  void aNamedCongestionControlIsTcps() {
    network(ALL, ALL, 2);
    near.offersCoded = true;
    mid.offersCoded = true;
    near.live();
    mid.live();
    Plan _ = rig.client().plan(question(null, 5.0));

    PlanRequest cubic = question(null, null).toBuilder().congestionControl("cubic").build();

    assertThat(transports(rig.client().plan(cubic))).containsOnlyNulls();
  }

  private void network(List<String> ofNear, List<String> ofMid) {
    network(ofNear, ofMid, 100);
  }

  private void network(List<String> ofNear, List<String> ofMid, double lastRttMillis) {
    near = relay("near", ofNear);
    mid = relay("mid", ofMid);
    FakeRelay there = relay("there", List.of()).at(THERE);
    for (FakeRelay relay : List.of(near, mid, there)) {
      relay.probe = request -> FakeRelay.reached(request, 0, 0, 100);
      relay.live();
    }
    report(near, "mid", 100);
    report(near, "there", 200);
    report(mid, "there", lastRttMillis);
    await().until(() -> rig.client().links().links().size() == 3);
  }

  private FakeRelay relay(String name, List<String> controls) {
    FakeRelay relay = rig.relay(name);
    relay.congestionControl = "cubic";
    relay.congestionControls = controls;
    relay.sinkRefusal = null;
    relay.throughput =
        test ->
            "bbr".equals(test.congestionControl())
                ? FakeRelay.report(test, 90e6, 30_000, 60, 20.5)
                : FakeRelay.report(test, 3e6, 4_000, 8, 20.5);
    return relay;
  }

  private static void report(FakeRelay from, String to, double rttMillis) {
    from.links.add(Rig.measured(to, 50_000, 100, rttMillis));
    from.beat();
    from.links.clear();
  }

  private static PlanRequest question(List<String> controls, Double measureSeconds) {
    return PlanRequest.builder()
        .destination(THERE + ":5001")
        .bytes(60_000_000L)
        .source(Source.builder().relay("near").congestionControl("cubic").build())
        .avoid(List.of("there"))
        .measureSeconds(measureSeconds)
        .controls(controls)
        .build();
  }

  private Chain open() {
    return open(beside("near"), null, null);
  }

  private Chain open(Source source, ChainOptions options, PlanRequest question) {
    return rig.client()
        .open(
            ChainRequest.builder()
                .destination(THERE + ":5001")
                .via(List.of("near", "mid"))
                .bytes(60_000_000L)
                .source(source)
                .options(options)
                .question(question)
                .build(),
            UUID.randomUUID().toString());
  }

  private static Source beside(String relay) {
    return Source.builder().relay(relay).congestionControl("cubic").build();
  }

  private static List<TransportChoice> transports(Plan plan) {
    return cascade(plan).hops().stream().map(HopPrediction::transport).toList();
  }

  private static io.cascade.api.relay.TransportChoice transport(FakeRelay relay, Chain chain) {
    HopOptions options = relay.heldPart(chain.id()).outlets().getFirst().options();
    return options == null ? null : options.transport();
  }

  private static ChainOptions paced(long bitsPerSecond) {
    return ChainOptions.builder().pacingBitsPerSecond(bitsPerSecond).build();
  }

  private static ChainOptions options(TransportChoice transport) {
    return ChainOptions.builder().transport(transport).build();
  }

  private static Candidate cascade(Plan plan) {
    return plan.candidates().stream()
        .filter(candidate ->
            candidate.kind() == CandidateKind.CASCADE && candidate.relays().equals(plan.relays()))
        .findFirst()
        .orElseThrow();
  }

  private static StreamOptions options(FakeRelay relay, Chain chain) {
    return relay.heldPart(chain.id()).options();
  }

  private static String control(HopOptions options) {
    return options.congestionControl();
  }

  private static List<String> controls(Chain chain) {
    return chain.route().segments().getFirst().pipes().getFirst().hops().stream()
        .map(Hop::congestionControl)
        .toList();
  }
}
