package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class PathConditionsTest {

  @Test
  void composesInSeries() {
    PathConditions path =
        new PathConditions(0.02, 0.01, 1448, 10e6).then(new PathConditions(0.03, 0.02, 1400, 20e6));
    assertThat(path.rttSeconds()).isCloseTo(0.05, within(1e-12));
    assertThat(path.lossProbability()).isCloseTo(0.0298, within(1e-12));
    assertThat(path.mssBytes()).isEqualTo(1400);
    assertThat(path.payloadCapacityBitsPerSecond()).isEqualTo(10e6);
  }

  @Test
  void refusesValuesOutsideTheirDomainByName() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PathConditions.uncapped(0, 0.01, 1448))
        .withMessage("rttSeconds: 0.0 (expected: > 0 and finite)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PathConditions.uncapped(0.1, 1.01, 1448))
        .withMessage("lossProbability: 1.01 (expected: 0..1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PathConditions.uncapped(0.1, Double.NaN, 1448));
    assertThatIllegalArgumentException().isThrownBy(() -> PathConditions.uncapped(0.1, 0.1, 0));
  }
}
