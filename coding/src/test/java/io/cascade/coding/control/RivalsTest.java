package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RivalsTest {
  private final Rivals rivals = new Rivals();

  /** A cut to β by those who have 1 − s, while ours becomes k times what it was. */
  private static double fall(double share, double keep, double growth) {
    return 1 - (keep * (1 - share) + growth * share);
  }

  @ParameterizedTest
  @CsvSource({"0.1, 1", "0.25, 1", "0.6, 1", "0.1, 1.3", "0.4, 1.3"})
  void theShareBesideCubicFollowsFromTheFall(double share, double growth) {
    rivals.cut(fall(share, 0.7, growth), growth);

    assertThat(rivals.share()).isCloseTo(share, within(0.001));
  }

  @Test
  void aDeepFallIsRenosAndIsRemembered() {
    rivals.cut(fall(0.2, 0.5, 1), 1);
    assertThat(rivals.areKnown()).isTrue();
    assertThat(rivals.share()).isCloseTo(0.2, within(0.001));

    rivals.cut(fall(0.5, 0.5, 1), 1);
    assertThat(rivals.share()).isCloseTo(0.5, within(0.001));
  }

  @Test
  void aShallowFallLeavesOpenWhoTheyAre() {
    rivals.cut(0.25, 1);

    assertThat(rivals.areKnown()).isFalse();
    assertThat(rivals.share()).isCloseTo(1.0 / 6, within(0.001));
    assertThat(rivals.halfway()).isCloseTo((1.0 / 6 + 0.5) / 2, within(0.001));
  }

  @Test
  void littleThatIsOursNeedNotBeCut() {
    rivals.cut(fall(0.1, 0.7, 1), 1);

    assertThat(rivals.leaveLittle()).isTrue();
    // They keep 0.63 of what was, beside our 0.1: that is 0.137 of the path, where 0.4 is wanted.
    assertThat(rivals.lack()).isCloseTo(0.4 / 0.137, within(0.01));
    assertThat(rivals.fairPart()).isEqualTo(1);
  }

  @Test
  void moreThanHalfGivesWay() {
    rivals.cut(fall(0.8, 0.7, 1), 1);

    assertThat(rivals.leaveLittle()).isFalse();
    assertThat(rivals.fairPart()).isCloseTo(0.5 / 0.8, within(0.001));
    assertThat(rivals.mayLeaveTooLittle()).isTrue();
  }

  @Test
  void nobodyIsKnownAtFirst() {
    assertThat(rivals.share()).isZero();
    assertThat(rivals.keep()).isEqualTo(0.7);
    assertThat(rivals.fairPart()).isEqualTo(1);
  }

  @Test
  void othersMayHaveComeMeanwhile() {
    rivals.tested(true);
    rivals.forget();

    assertThat(rivals.areKnown()).isFalse();
  }
}
