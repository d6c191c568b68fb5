package io.cascade.model.calibration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CorrectionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Test
  void nothingLearnedChangesNothing() {
    assertThat(Correction.none(NOW).factor(NOW)).isEqualTo(1);
  }

  @Test
  void aSingleOutcomeIsBelievedByHalf() {
    assertThat(after(1, 0.5).factor(NOW)).isEqualTo(Math.sqrt(0.5), within(1e-12));
  }

  @Test
  void anOutcomeOfLittleWeightChangesLittle() {
    Correction little = Correction.none(NOW).learn(0.5, 0.1, NOW);
    assertThat(little.evidenceAt(NOW)).isEqualTo(0.1);
    assertThat(little.factor(NOW)).isEqualTo(Math.exp(Math.log(0.5) * 0.1 / 1.1), within(1e-12));
  }

  @Test
  void outcomesAreAveragedByTheirWeights() {
    Correction both = Correction.none(NOW).learn(0.5, 1, NOW).learn(2, 0.5, NOW);
    assertThat(both.logRatio()).isEqualTo(Math.log(0.5) / 3, within(1e-12));
  }

  @Test
  void workedValue() {
    assertThat(after(20, 0.5).factor(NOW)).isEqualTo(0.517, within(5e-4));
  }

  @Test
  void theMoreAgreeTheCloserItComes() {
    double before = 1;
    for (int outcomes = 1; outcomes < 100; outcomes++) {
      double factor = after(outcomes, 0.5).factor(NOW);
      assertThat(factor).isBetween(0.5, before);
      before = factor;
    }
    assertThat(before).isEqualTo(0.5, within(0.03));
  }

  @Test
  void tooFastAndTooSlowWeighTheSame() {
    assertThat(after(20, 2).factor(NOW) * after(20, 0.5).factor(NOW)).isEqualTo(1, within(1e-12));
  }

  @Test
  void itNeverLeavesItsBounds() {
    Random random = new Random(1);
    Correction correction = Correction.none(NOW);
    for (int i = 0; i < 1_000; i++) {
      correction = correction.learn(Math.exp(40 * (random.nextDouble() - 0.5)), 1, NOW);
      assertThat(correction.factor(NOW)).isBetween(0.25, 4.0);
    }
    assertThat(after(10_000, 1e-9).factor(NOW)).isEqualTo(0.25, within(1e-3));
  }

  @Test
  void oneOddOutcomeAmongManyMattersLittle() {
    assertThat(after(50, 1).learn(0.01, 1, NOW).factor(NOW)).isGreaterThan(0.85);
  }

  @Test
  void itFadesUntilTheModelIsTrustedAgain() {
    Correction correction = after(12, 0.5);
    Instant later = NOW.plus(Correction.HALF_LIFE);

    assertThat(correction.evidenceAt(later)).isEqualTo(6, within(1e-9));
    assertThat(correction.factor(later)).isGreaterThan(correction.factor(NOW)).isLessThan(1);
    assertThat(correction.factor(NOW.plus(Correction.HALF_LIFE.multipliedBy(12))))
        .isEqualTo(1, within(0.01));
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> after(1, 0)).hasMessage("ratio: 0.0 (expected: > 0 and finite)");
    assertThatThrownBy(() -> after(1, 1).learn(1, 0, NOW)).hasMessageContaining("weight: 0.0");
    assertThatThrownBy(() -> new Correction(2, 1, 1, NOW)).hasMessageContaining("logRatio");
  }

  private static Correction after(int outcomes, double ratio) {
    Correction correction = Correction.none(NOW);
    for (int i = 0; i < outcomes; i++) {
      correction = correction.learn(ratio, 1, NOW);
    }
    return correction;
  }
}
