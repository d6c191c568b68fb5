package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ProportionTest {

  @Test
  void wilsonsIntervalHasItsPublishedValues() {
    Proportion nineOfTen = new Proportion(9, 10);
    assertThat(nineOfTen.low()).isCloseTo(0.5958, within(5e-4));
    assertThat(nineOfTen.high()).isCloseTo(0.9821, within(5e-4));
    // Newcombe, Statistics in Medicine 17, 1998, table I: 81 of 263.
    Proportion newcombe = new Proportion(81, 263);
    assertThat(newcombe.low()).isCloseTo(0.2553, within(1e-4));
    assertThat(newcombe.high()).isCloseTo(0.3662, within(1e-4));
  }

  @Test
  void noneAndAllLeaveRoomOnOneSideOnly() {
    assertThat(new Proportion(0, 20).low()).isZero();
    assertThat(new Proportion(0, 20).high()).isCloseTo(0.1611, within(1e-4));
    assertThat(new Proportion(20, 20).high()).isCloseTo(1, within(1e-12));
  }

  @Test
  void nothingMeasuredIsNothingKnown() {
    Proportion nothing = new Proportion(0, 0);
    assertThat(nothing.low()).isZero();
    assertThat(nothing.high()).isEqualTo(1);
    assertThat(nothing.words()).isEqualTo("none measured");
  }

  @Test
  void saysItsInterval() {
    assertThat(new Proportion(9, 10).words()).isEqualTo("9 of 10, 90 % (60 to 98 %)");
  }

  @Test
  void refusesMoreThanAll() {
    assertThatThrownBy(() -> new Proportion(3, 2)).hasMessageContaining("expected: 0 to 2");
  }
}
