package io.cascade.model.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.Interval;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.model.units.Rate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is decided of the costs of two ways. */
class VerdictTest {
  private static final double CONFIDENCE = 0.975;

  /**
   * The cascade takes a second, known to a factor; the direct path {@code gain} seconds, to as
   * much.
   */
  @ParameterizedTest
  @CsvSource({
    "1.35, 1.4, CASCADE",
    "1.15, 1.1, CASCADE",
    "1.15, 1.4, UNDECIDED",
    "1.00, 1.1, EQUAL",
    "1.00, 1.15, EQUAL",
    "0.95, 1.1, EQUAL",
    "0.80, 1.1, DIRECT",
    "1.00, 1.4, UNDECIDED",
    "0.85, 1.4, DIRECT",
    "3.00, 9.0, UNDECIDED",
    "1.01, 1.0, EQUAL",
    "1.09, 1.0, EQUAL",
    "1.11, 1.0, CASCADE",
    "1.03, 1.05, EQUAL"
  })
  void whatCostsLittleOnAverageIsDecided(double gain, double factor, Decision decision) {
    assertThat(
            Verdict.of(
                    false,
                    new Interval(gain / factor, gain, gain * factor),
                    new Interval(1 / factor, 1, factor),
                    1,
                    CONFIDENCE)
                .decision())
        .isEqualTo(decision);
  }

  @Test
  void whatNothingBoundsIsNeverTaken() {
    Interval open = new Interval(1, 1, Double.POSITIVE_INFINITY);
    assertThat(Verdict.of(false, new Interval(4, 5, 6), open, 1, CONFIDENCE).decision())
        .isEqualTo(Decision.UNDECIDED);
    assertThat(Verdict.of(false, new Interval(0.5, 0.6, 0.7), open, 1, CONFIDENCE).decision())
        .as("it may be ruled out")
        .isEqualTo(Decision.DIRECT);
  }

  /** One relay on the source's host, another half way. Nothing is known of the far links' rates. */
  @Test
  void aWayOverTheDirectPathItselfGainsNothing() {
    LinkEstimate direct = link(192).withCapacity(new Capacity.AtLeast(34e6));
    Topology.Builder topology =
        Topology.builder()
            .link("s", "d", direct)
            .link("s", "home", link(1).withCapacity(Rate.ofMegabits(1_000)))
            .link("home", "d", direct);
    RouteAnswer plan = plan(topology.build());
    assertThat(plan.decision()).isEqualTo(Decision.DIRECT);

    RouteAnswer other =
        plan(
            topology
                .link("s", "r1", link(90).withCapacity(new Capacity.AtLeast(0)))
                .link("r1", "d", link(90).withCapacity(new Capacity.AtLeast(0)))
                .build());
    assertThat(other.decision()).isEqualTo(Decision.UNDECIDED);
    assertThat(other.bestCascade().orElseThrow().route().relays()).containsExactly("r1");
    assertThat(other.measureNext())
        .extracting(Measurement::to)
        .as("tests are spent on the way that may gain")
        .isEqualTo(List.of("r1", "d"));
  }

  /**
   * Random losses that BBR takes no notice of leave it near a capacity that nobody knows. What
   * CUBIC reached is no evidence against it.
   */
  @Test
  void aSenderWithBbrIsExpectedToDoWellDirectly() {
    LinkEstimate unseen = link(160).withCapacity(new Capacity.AtLeast(0));
    assertThat(withBbr(unseen, 40).decision()).isEqualTo(Decision.DIRECT);
    assertThat(withBbr(unseen.withCapacity(new Capacity.AtLeast(41e6)), 40).decision())
        .isEqualTo(Decision.DIRECT);

    RouteAnswer seenLess = withBbr(unseen.withCapacity(new Capacity.AtLeast(5e6)), 40);
    assertThat(seenLess.decision())
        .as("relays were seen to carry more")
        .isEqualTo(Decision.UNDECIDED);
    assertThat(seenLess.route().isDirect()).isTrue();
  }

  @Test
  void aSenderWithBbrThatWasSeenToDoLessGoesThroughRelays() {
    LinkEstimate tried =
        link(160)
            .withCapacity(new Capacity.AtLeast(5e6))
            .withAchieved(new AchievedRate(CongestionControl.BBR, 5e6, 0));
    assertThat(withBbr(tried, 40).decision()).isEqualTo(Decision.CASCADE);
  }

  @Test
  void lossesBeyondWhatBbrTakesNoNoticeOfAreNoReasonForIt() {
    LinkEstimate lossy =
        new LinkEstimate(
            Duration.ofMillis(160), new LossEstimate(700, 4_000), new Capacity.AtLeast(0));
    assertThat(withBbr(lossy, 40).decision()).isEqualTo(Decision.UNDECIDED);
  }

  /** Directly as given, and through a relay on two links of so many Mbit/s. */
  private static RouteAnswer withBbr(LinkEstimate direct, double megabits) {
    LinkEstimate hop = link(80).withCapacity(Rate.ofMegabits(megabits));
    return new RoutePlanner()
        .plan(
            Topology.builder()
                .link("s", "d", direct)
                .link("s", "r", hop)
                .link("r", "d", hop)
                .build(),
            RouteQuestion.between("s", "d")
                .congestionControl(CongestionControl.BBR, CongestionControl.BBR)
                .build());
  }

  private static RouteAnswer plan(Topology topology) {
    return new RoutePlanner().plan(topology, RouteQuestion.between("s", "d").build());
  }

  private static LinkEstimate link(long rttMillis) {
    return LinkEstimate.of(Duration.ofMillis(rttMillis), new LossEstimate(1, 400));
  }
}
