package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.units.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PaceTest {

  private static final Hop PAPER =
      Hop.of(0.064, 0.001)
          .withModel(MathisThroughput.RANDOM_LOSS)
          .withCapacity(Rate.ofMegabits(32));

  @Test
  void hasTheWorkedValues() {
    Pace pace = Pace.of(PAPER, 10);
    assertThat(pace.secondsBetween(0, 1000)).isCloseTo(0.385, within(0.001));
    assertThat(pace.secondsBetween(1000, 2900)).isCloseTo(1.15, within(0.01));
    assertThat(1900 * pace.steadySpacingSeconds()).isCloseTo(2.93, within(0.01));
  }

  /** The window's mean steps from packet to packet as the differential equation says. */
  @Test
  void isTheSolutionOfItsEquation() {
    Pace pace = Pace.of(PAPER, 10);
    double steady = 0.064 / pace.steadySpacingSeconds();
    double square = Math.pow(0.064 / pace.fullSpacingSeconds(), 2);
    double seconds = 0;
    for (int m = 0; m < 5000; m++) {
      double next = square - 0.001 * (square - steady * steady);
      seconds += 0.064 / Math.sqrt((square + next) / 2);
      square = next;
    }
    assertThat(pace.secondsBetween(1000, 6000)).isCloseTo(seconds, within(1e-3 * seconds));
  }

  @Test
  void timesAddUp() {
    Pace pace = Pace.of(PAPER, 10);
    double whole = pace.secondsBetween(0, 10_000);
    double parts =
        pace.secondsBetween(0, 400)
            + pace.secondsBetween(400, 1_700)
            + pace.secondsBetween(1_700, 10_000);
    assertThat(parts).isCloseTo(whole, within(1e-9));
  }

  @Test
  void endsInTheSteadyState() {
    Pace pace = Pace.of(PAPER, 10);
    double late = pace.secondsBetween(100_000, 101_000) / 1000;
    assertThat(late).isCloseTo(pace.steadySpacingSeconds(), within(1e-12));
  }

  @Test
  void isSteadyFromTheBeginningWhereLossesDoNotMatter() {
    for (Hop hop :
        new Hop[] {
          PAPER.withLoss(0),
          PAPER.withLoss(1e-9),
          PAPER.withReceiveWindow(10_000),
          PAPER.withCongestionControl(CongestionControl.BBR)
        }) {
      Pace pace = Pace.of(hop, 10);
      assertThat(pace.firstLoss()).isInfinite();
      assertThat(pace.secondsBetween(0, 1_000_000))
          .isCloseTo(1e6 * pace.steadySpacingSeconds(), within(1e-6));
    }
  }

  @Test
  void neverEndsWhereNothingGetsThrough() {
    assertThat(Pace.of(PAPER.withLoss(1).withCongestionControl(CongestionControl.BBR), 10))
        .satisfies(pace -> assertThat(pace.steadySpacingSeconds()).isInfinite());
    assertThatIllegalArgumentException().isThrownBy(() -> Pace.steady(-1));
  }

  @ParameterizedTest
  @EnumSource(
      value = CongestionControl.class,
      names = {"RENO", "CUBIC"})
  void moreLossLongerRoundTripsAndLessCapacityNeverMakeItQuicker(CongestionControl control) {
    RandomCascades random = new RandomCascades(27);
    for (int i = 0; i < 2_000; i++) {
      Hop hop = random.hop().withCongestionControl(control);
      long packets = (long) random.between(1, 1e7);
      double seconds = Pace.of(hop, 10).secondsBetween(0, packets);
      for (Hop worse :
          new Hop[] {
            hop.withLoss(Math.min(1, 1.3 * hop.lossProbability())),
            hop.withRtt(1.3 * hop.rttSeconds()),
            hop.withCapacity(new Rate(0.7 * Math.min(hop.unhinderedBitsPerSecond(), 1e12)))
          }) {
        assertThat(Pace.of(worse, 10).secondsBetween(0, packets))
            .as("%s packets over %s instead of %s", packets, worse, hop)
            .isGreaterThanOrEqualTo(seconds * (1 - 1e-9));
      }
    }
  }
}
