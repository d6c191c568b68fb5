package io.cascade.model.planning;

import static io.cascade.model.tcp.CongestionControl.BBR;
import static io.cascade.model.tcp.CongestionControl.CODED;
import static io.cascade.model.tcp.CongestionControl.CUBIC;
import static io.cascade.model.tcp.CongestionControl.RENO;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.cascade.Hop;
import io.cascade.model.cascade.SlowStart;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HopSendingChoiceTest {
  private static final int NETWORKS = 60;

  private final RoutePlanner planner = new RoutePlanner();

  /**
   * Every route with every assignment of admissible controls, each scored in full, has nothing
   * better than the best cascade.
   */
  @Test
  void theBestOfAllAssignmentsIsFound() {
    Random random = new Random(7);
    RandomNetworks networks = new RandomNetworks(7);
    int changed = 0;
    for (int i = 0; i < NETWORKS; i++) {
      Topology topology = networks.topology();
      RouteQuestion asked = networks.request();
      Map<String, Set<CongestionControl>> offers = offers(topology, random);
      RouteQuestion request = with(asked, offers, Map.of());
      RouteAnswer plan = planner.plan(topology, request);
      double best = Double.POSITIVE_INFINITY;
      for (NodePath route : RandomNetworks.cascades(topology, request)) {
        for (Map<String, CongestionControl> assignment :
            assignments(topology, request, route, offers)) {
          RouteQuestion assigned = with(asked, Map.of(), assignment);
          best = Math.min(best, new Forecaster(topology, assigned).likelyCascadeCost(route));
        }
      }
      double found = plan.bestCascade().map(Candidate::likelyCost).orElse(Double.POSITIVE_INFINITY);
      if (Double.isFinite(best)) {
        // The recursion over packets follows the bound, by which hops are chosen, within this.
        double tolerance = request.bytes().isPresent() ? 3e-2 : 1e-9;
        assertThat(found).isCloseTo(best, within(tolerance * best));
      }
      changed +=
          plan.bestCascade().flatMap(Candidate::prediction).stream()
                  .flatMap(prediction -> prediction.hops().stream())
                  .anyMatch(HopPrediction::isControlChanged)
              ? 1
              : 0;
    }
    assertThat(changed).isGreaterThan(NETWORKS / 10);
  }

  @Test
  void aRelayBesideTheSourceSendsOnWithBbr() {
    Topology topology = besideTheSource(new Capacity.Known(100e6));
    RouteQuestion request = RouteQuestion.between("s", "d").offer("r1", Set.of(BBR, CUBIC)).build();
    RouteAnswer plan = planner.plan(topology, request);
    assertThat(plan.decision()).isEqualTo(Decision.CASCADE);
    assertThat(plan.chosen().label()).isEqualTo("via r1, BBR from r1 on");
    List<HopPrediction> hops = plan.chosen().prediction().orElseThrow().hops();
    assertThat(hops).extracting(HopPrediction::control).containsExactly(CUBIC, BBR);
    assertThat(hops).extracting(HopPrediction::usualControl).containsExactly(CUBIC, CUBIC);
  }

  /** A hop between two relays that loses 0.2 %, as the direct path does. */
  private static Topology betweenRelays(Capacity capacity) {
    LossEstimate none = new LossEstimate(0, 50_000);
    LinkEstimate edge = new LinkEstimate(Duration.ofMillis(1), none, new Capacity.Known(200e6));
    LinkEstimate longWay =
        new LinkEstimate(Duration.ofMillis(100), new LossEstimate(100, 50_000), capacity);
    return Topology.builder()
        .link("s", "d", longWay)
        .link("s", "r1", edge)
        .link("r1", "r2", longWay)
        .link("r2", "d", edge)
        .build();
  }

  private RouteAnswer planCoded(Capacity capacity, CodedHops coded) {
    return planner.plan(
        betweenRelays(capacity), RouteQuestion.between("s", "d").coded(coded).build());
  }

  private static CodedHops both(CodedHops.Use use) {
    return new CodedHops(use, Set.of("r1", "r2"));
  }

  @Test
  void aHopIsCodedWhereThatIsClearlyFasterAndBothRelaysOfferIt() {
    RouteAnswer plan = planCoded(new Capacity.Known(100e6), both(CodedHops.Use.WHERE_FASTER));
    assertThat(plan.chosen().label()).isEqualTo("via r1, r2, CODED on r1→r2");
    HopPrediction hop = plan.chosen().prediction().orElseThrow().hops().get(1);
    assertThat(hop.control()).isEqualTo(CODED);
    assertThat(hop.bitsPerSecond().likely()).isBetween(88e6, 94e6);
    assertThat(hop.transport().orElseThrow().coded()).isTrue();
    assertThat(hop.transport().orElseThrow().why())
        .contains("with cubic at a loss of 0.2 %", "coded");
    assertThat(plan.chosen().prediction().orElseThrow().hops().getFirst().transport()).isEmpty();
  }

  @Test
  void aHopIsNotCodedForACapacityThatNobodyHasSeenNorWithoutAnOffer() {
    for (Capacity unknown : List.of(new Capacity.Unlimited(), new Capacity.AtLeast(0))) {
      RouteAnswer plan = planCoded(unknown, both(CodedHops.Use.WHERE_FASTER));
      assertThat(plan.bestCascade().orElseThrow().prediction().orElseThrow().hops())
          .noneMatch(hop -> hop.control() == CongestionControl.CODED);
    }
    RouteAnswer one =
        planCoded(
            new Capacity.Known(100e6), new CodedHops(CodedHops.Use.WHERE_FASTER, Set.of("r1")));
    HopTransport hop =
        one.bestCascade()
            .orElseThrow()
            .prediction()
            .orElseThrow()
            .hops()
            .get(1)
            .transport()
            .orElseThrow();
    assertThat(hop).isEqualTo(new HopTransport(false, "r2 offers no coded hops"));
  }

  @Test
  void aHopIsNotCodedWhereNoDatagramGetsThrough() {
    Topology open = betweenRelays(new Capacity.Known(100e6));
    Topology blocked =
        Topology.builder()
            .link("s", "d", open.link("s", "d").orElseThrow())
            .link("s", "r1", open.link("s", "r1").orElseThrow())
            .link("r1", "r2", open.link("r1", "r2").orElseThrow().withoutDatagrams())
            .link("r2", "d", open.link("r2", "d").orElseThrow())
            .build();
    RouteQuestion request =
        RouteQuestion.between("s", "d").coded(both(CodedHops.Use.WHERE_FASTER)).build();
    HopPrediction hop =
        planner.plan(blocked, request).bestCascade().stream()
            .flatMap(best -> best.prediction().stream())
            .map(prediction -> prediction.hops().get(1))
            .findFirst()
            .orElseThrow();
    assertThat(hop.transport()).contains(new HopTransport(false, "no datagram gets through"));
  }

  @Test
  void aSmallGainIsNoReason() {
    RouteAnswer plan = planCoded(new Capacity.Known(3e6), both(CodedHops.Use.WHERE_FASTER));
    HopPrediction hop = plan.bestCascade().orElseThrow().prediction().orElseThrow().hops().get(1);
    assertThat(hop.control()).isEqualTo(CUBIC);
    assertThat(hop.transport().orElseThrow().why()).contains("times as fast, which has to be 1.5");
  }

  @Test
  void allHopsThatOfferItAreCodedWhereThatIsAskedFor() {
    RouteAnswer plan = planCoded(new Capacity.Known(3e6), both(CodedHops.Use.ALWAYS));
    HopPrediction hop = plan.bestCascade().orElseThrow().prediction().orElseThrow().hops().get(1);
    assertThat(hop.transport()).contains(new HopTransport(true, "asked for"));
  }

  @Test
  void withoutAnOfferNothingChanges() {
    Topology topology = besideTheSource(new Capacity.Known(100e6));
    RouteAnswer plan = planner.plan(topology, RouteQuestion.between("s", "d").build());
    assertThat(plan.decision()).isNotEqualTo(Decision.CASCADE);
    assertThat(plan.bestCascade().orElseThrow().label()).isEqualTo("via r1");
  }

  /** BBR sends at the capacity; where that was never seen there is no gain to show. */
  @Test
  void noControlIsChosenForACapacityThatNobodyHasSeen() {
    RouteQuestion request = RouteQuestion.between("s", "d").offer("r1", Set.of(BBR)).build();
    for (Capacity unknown :
        List.of(new Capacity.Unlimited(), new Capacity.AtLeast(0), new Capacity.AtLeast(3e6))) {
      LinkEstimate link = link(besideTheSource(unknown));
      Topology buffered = Topology.builder().link("r1", "d", link.withBuffers(64L << 20)).build();
      assertThat(onward(buffered, request)).isEqualTo(CUBIC);
      assertThat(onward(besideTheSource(unknown), request)).isEqualTo(CUBIC);
    }
  }

  /** Relays' operators say what their hosts carry, not what lies between them. */
  @Test
  void anOperatorsWordIsNoReason() {
    RouteQuestion request = RouteQuestion.between("s", "d").offer("r1", Set.of(BBR)).build();
    LinkEstimate said = link(besideTheSource(new Capacity.Known(1e9))).withCapacityOnlySaid();
    Topology topology = Topology.builder().link("r1", "d", said).build();
    assertThat(onward(topology, request)).isEqualTo(CUBIC);
    assertThat(measured(topology, request).testControl("r1", "d", said)).isEqualTo(BBR);
  }

  /** What was seen with CUBIC bounds BBR too, so a test that is to find more is sent with BBR. */
  @Test
  void anOpenCapacityIsTestedWithWhatMayFillIt() {
    RouteQuestion request = RouteQuestion.between("s", "d").offer("r1", Set.of(BBR)).build();
    Topology open = besideTheSource(new Capacity.AtLeast(3e6));
    assertThat(measured(open, request).testControl("r1", "d", link(open))).isEqualTo(BBR);
    LinkEstimate fresh =
        new LinkEstimate(Duration.ofMillis(80), new LossEstimate(0, 338), new Capacity.AtLeast(0))
            .withBuffers(16L << 20);
    Topology unseen = Topology.builder().link("r1", "d", fresh).build();
    assertThat(measured(unseen, request).testControl("r1", "d", fresh)).isEqualTo(BBR);
    Topology known = besideTheSource(new Capacity.Known(4e6));
    assertThat(measured(known, request).testControl("r1", "d", link(known))).isEqualTo(CUBIC);
  }

  @Test
  void bbrIsChosenOnlyWhereLossesLeaveMostOfTheLinkUnused() {
    Topology fast = besideTheSource(new Capacity.Known(5e6));
    RouteQuestion request = RouteQuestion.between("s", "d").offer("r1", Set.of(BBR)).build();
    MeasuredHops measured = measured(fast, request);
    double usual =
        measured.ofLink(link(fast), CUBIC, LossLevel.LIKELY).steadyRate().bitsPerSecond();
    Rate justBelow = new Rate(usual / 0.16 / RouteQuestion.FRAMING.payloadShare());
    Rate justAbove = new Rate(usual / 0.14 / RouteQuestion.FRAMING.payloadShare());
    assertThat(onward(besideTheSource(new Capacity.Known(justBelow.bitsPerSecond())), request))
        .isEqualTo(CUBIC);
    assertThat(onward(besideTheSource(new Capacity.Known(justAbove.bitsPerSecond())), request))
        .isEqualTo(BBR);
  }

  /** What is left of a capacity is what counts. */
  @Test
  void promisesToOthersLeaveLessToGain() {
    RouteQuestion request = RouteQuestion.between("s", "d").offer("r1", Set.of(BBR)).build();
    Topology topology = besideTheSource(new Capacity.Known(100e6));
    Topology promised =
        Topology.builder()
            .link("s", "d", topology.link("s", "d").orElseThrow())
            .link("s", "r1", topology.link("s", "r1").orElseThrow())
            .link("r1", "d", link(topology))
            .terms("r1", "d", LinkTerms.USUAL.withFree(3e6))
            .build();
    assertThat(onward(promised, request)).isEqualTo(CUBIC);
  }

  @Test
  void whatWasLearnedCountsForItsOwnControl() {
    RouteQuestion request =
        RouteQuestion.between("s", "d").offer("r1", EnumSet.of(BBR, RENO)).build();
    LinkEstimate link = link(besideTheSource(new Capacity.Known(100e6)));
    Topology slow =
        Topology.builder()
            .link("r1", "d", link.withLearned(BBR, new LearnedCorrection(0.26, 9, 9)))
            .build();
    assertThat(measured(slow, request).ofLink(link(slow), BBR, LossLevel.LIKELY).steadyRate())
        .satisfies(rate -> assertThat(rate.bitsPerSecond()).isLessThan(26e6));
    assertThat(measured(slow, request).ofLink(link(slow), CUBIC, LossLevel.LIKELY).steadyRate())
        .isEqualTo(
            measured(besideTheSource(new Capacity.Known(100e6)), request)
                .ofLink(link, CUBIC, LossLevel.LIKELY)
                .steadyRate());
  }

  /** Reno is not expected to gain because CUBIC is slower here than its model says. */
  @Test
  void whatTheUsualControlHasLearnedIsNoReasonForAnother() {
    RouteQuestion request = RouteQuestion.between("s", "d").offer("r1", EnumSet.of(RENO)).build();
    LinkEstimate slow =
        link(besideTheSource(new Capacity.Known(100e6)))
            .withLearned(CUBIC, new LearnedCorrection(0.3, 9, 9));
    Topology topology = Topology.builder().link("r1", "d", slow).build();
    assertThat(onward(topology, request)).isEqualTo(CUBIC);
  }

  private static Topology besideTheSource(Capacity capacity) {
    LossEstimate loss = new LossEstimate(100, 50_000);
    LinkEstimate longWay = new LinkEstimate(Duration.ofMillis(100), loss, capacity);
    return Topology.builder()
        .link("s", "d", longWay)
        .link(
            "s",
            "r1",
            new LinkEstimate(
                Duration.ofMillis(1), new LossEstimate(0, 50_000), new Capacity.Known(200e6)))
        .link("r1", "d", longWay)
        .build();
  }

  private static LinkEstimate link(Topology topology) {
    return topology.link("r1", "d").orElseThrow();
  }

  private static MeasuredHops measured(Topology topology, RouteQuestion request) {
    return new MeasuredHops(topology, request);
  }

  private static CongestionControl onward(Topology topology, RouteQuestion request) {
    return measured(topology, request).control("r1", "d", link(topology));
  }

  private static Map<String, Set<CongestionControl>> offers(Topology topology, Random random) {
    Map<String, Set<CongestionControl>> offers = new TreeMap<>();
    for (String node : topology.nodes()) {
      Set<CongestionControl> some = EnumSet.noneOf(CongestionControl.class);
      for (CongestionControl control : List.of(RENO, CUBIC, BBR)) {
        if (random.nextInt(3) > 0) {
          some.add(control);
        }
      }
      if (node.startsWith("r")) {
        offers.put(node, some);
      }
    }
    return offers;
  }

  /** The same request, with offers or with the relays' own controls. */
  private static RouteQuestion with(
      RouteQuestion asked,
      Map<String, Set<CongestionControl>> offers,
      Map<String, CongestionControl> own) {
    RouteQuestion.Builder builder =
        RouteQuestion.between("s", "d")
            .maxRelays(Math.min(3, asked.maxRelays()))
            .setup(asked.setup())
            .relayDelaySeconds(asked.relayDelaySeconds())
            .congestionControl(asked.directControl(), asked.hopControl());
    asked.bytes().ifPresent(builder::bytes);
    offers.forEach(builder::offer);
    own.forEach(builder::senderControl);
    return builder.build();
  }

  /** Every combination, by relay, of what each may send with on its hop of the route. */
  private static List<Map<String, CongestionControl>> assignments(
      Topology topology,
      RouteQuestion request,
      NodePath route,
      Map<String, Set<CongestionControl>> offers) {
    List<Map<String, CongestionControl>> all = new ArrayList<>(List.of(Map.of()));
    for (int i = 1; i < route.hops(); i++) {
      String from = route.nodes().get(i);
      String to = route.nodes().get(i + 1);
      List<Map<String, CongestionControl>> longer = new ArrayList<>();
      for (CongestionControl control : admissible(topology, request, from, to, offers)) {
        for (Map<String, CongestionControl> before : all) {
          Map<String, CongestionControl> more = new TreeMap<>(before);
          more.put(from, control);
          longer.add(more);
        }
      }
      all = longer;
    }
    return all;
  }

  /** The usual one, and those that are clearly faster on this hop at a rate that is known. */
  private static Set<CongestionControl> admissible(
      Topology topology,
      RouteQuestion request,
      String from,
      String to,
      Map<String, Set<CongestionControl>> offers) {
    Set<CongestionControl> admissible = EnumSet.of(request.hopControl(from));
    double usual = seconds(topology, request, from, to, request.hopControl(from));
    for (CongestionControl control : offers.getOrDefault(from, Set.of())) {
      double seconds = seconds(topology, request, from, to, control);
      boolean seen = control != BBR || !topology.link(from, to).orElseThrow().capacity().isUnseen();
      boolean fair =
          control != BBR || share(topology, request, from, to) <= HopSendingChoice.UNUSED;
      if (seen && fair && seconds > 0 && seconds < usual / HopSendingChoice.CLEAR_GAIN) {
        admissible.add(control);
      }
    }
    return admissible;
  }

  /** What the usual control uses of the hop's capacity. */
  private static double share(Topology topology, RouteQuestion request, String from, String to) {
    MeasuredHops measured = measured(topology, request);
    LinkEstimate link = topology.link(from, to).orElseThrow();
    Hop hop =
        MeasuredHops.limited(
            measured.ofLink(link, request.hopControl(from), LossLevel.LIKELY),
            measured.free(from, to));
    return hop.steadyRate().bitsPerSecond() / hop.payloadCapacityBitsPerSecond();
  }

  private static double seconds(
      Topology topology, RouteQuestion request, String from, String to, CongestionControl control) {
    LinkEstimate link = topology.link(from, to).orElseThrow();
    MeasuredHops measured = measured(topology, request);
    if (measured.free(from, to).orElse(1) == 0) {
      return Double.POSITIVE_INFINITY;
    }
    Hop hop =
        MeasuredHops.limited(
            measured.ofLink(link, control, LossLevel.LIKELY), measured.free(from, to));
    double rate = hop.steadyRate().bitsPerSecond();
    return Double.isInfinite(rate)
        ? 0
        : request.bytes().isEmpty()
            ? 1 / rate
            : SlowStart.secondsBeyondWay(
                hop, request.bytes().getAsLong(), Forecaster.INITIAL_WINDOW);
  }
}
