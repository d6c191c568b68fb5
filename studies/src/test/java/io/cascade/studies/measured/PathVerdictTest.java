package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.orchestrator.Decision;
import org.junit.jupiter.api.Test;

class PathVerdictTest {

  @Test
  void sendIsHeldAgainstTheQuickestFixedWayAndTheDirectOne() {
    PathVerdict verdict =
        PathVerdict.of(
            Measured.path(
                Measured.sent("send", 6.0, 6.0),
                Measured.sent("direct", 12.0, 12.0),
                Measured.sent("via r1", 5.0, 5.0)));

    assertThat(verdict.best()).isEqualTo("via r1");
    assertThat(verdict.ofBest()).isCloseTo(5 / 6.0, within(1e-9));
    assertThat(verdict.ofDirect()).isCloseTo(2, within(1e-9));
    assertThat(verdict.gain()).isCloseTo(2.4, within(1e-9));
    assertThat(verdict.isGood()).isFalse();
    assertThat(verdict.isSurelyNotGood()).isTrue(); // Repetitions do not differ at all.
    assertThat(verdict.isWorseThanDirect()).isFalse();
  }

  @Test
  void openingTheChainOfAFixedWayCountsAndTheSameIsSaidWithoutIt() {
    PathVerdict verdict =
        PathVerdict.of(
            Measured.path(
                Measured.sent("send", 5.0, 5.0),
                Measured.sent("direct", 12.0, 12.0),
                Measured.sentAfter(1, "via r1", 4.0, 4.0)));

    assertThat(verdict.ofBest()).isCloseTo(1, within(1e-9));
    assertThat(verdict.isGood()).isTrue();
    assertThat(verdict.ofOpen()).isCloseTo(0.8, within(1e-9));
    assertThat(verdict.isGoodBesideOpenChains()).isFalse();
  }

  @Test
  void aMissWithinWhatRepetitionsDifferByMayBeChance() {
    PathVerdict verdict =
        PathVerdict.of(
            Measured.path(
                Measured.sent("send", 4.5, 8.0),
                Measured.sent("direct", 12.0, 8.0),
                Measured.sent("via r1", 4.0, 6.5)));

    assertThat(verdict.isGood()).isFalse();
    assertThat(verdict.spread()).isGreaterThan(1.1);
    assertThat(verdict.isSurelyNotGood()).isFalse();
  }

  @Test
  void aSendThatFailedIsAMissWhateverTheOtherOneDid() {
    PathVerdict verdict =
        PathVerdict.of(
            Measured.path(
                Measured.sent("send", 5.0, null),
                Measured.sent("direct", 12.0, 12.0),
                Measured.sent("via r1", 5.0, 5.0)));

    assertThat(verdict.ofBest()).isCloseTo(1, within(1e-9));
    assertThat(verdict.failedSends()).isEqualTo(1);
    assertThat(verdict.isGood()).isFalse();
    assertThat(verdict.isWorseThanDirect()).isTrue();
  }

  @Test
  void aForecastHoldsBetweenItsBoundsAndAnOpenOneAboveItsShortest() {
    PathVerdict verdict =
        PathVerdict.of(
            Measured.path(
                Measured.sent("send", 5.0, 5.0),
                Measured.sent("direct", 12.0, 12.0),
                Measured.sent("via r1", 5.0, 5.0)));

    assertThat(verdict.forecasts())
        .extracting(PathVerdict.Forecast::way, PathVerdict.Forecast::holds)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("direct", true), // 10 s or more
            org.assertj.core.groups.Tuple.tuple("via r1", false)); // 3 to 4 s
    assertThat(verdict.decision()).contains(Decision.UNDECIDED);
  }

  @Test
  void aDecisionIsWrongWhereTheOtherWayWasClearlyQuicker() {
    assertThat(wronglyDecided(Decision.CASCADE, 10, 12)).isTrue();
    assertThat(wronglyDecided(Decision.CASCADE, 10, 10.5)).isFalse();
    assertThat(wronglyDecided(Decision.DIRECT, 12, 10)).isTrue();
    assertThat(wronglyDecided(Decision.DIRECT, 10, 12)).isFalse();
    assertThat(wronglyDecided(Decision.UNDECIDED, 20, 10)).isFalse();
  }

  private static boolean wronglyDecided(Decision decision, double direct, double relays) {
    return PathVerdict.of(
            Measured.decided(
                decision,
                Measured.path(
                    Measured.sent("send", 10.0),
                    Measured.sent("direct", direct),
                    Measured.sent("via r1", relays))))
        .isWronglyDecided();
  }
}
