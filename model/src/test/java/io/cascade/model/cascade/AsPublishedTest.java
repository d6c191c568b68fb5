package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Equations 1–9 of "Cascaded TCP" at its running case: 64 ms, 0.1 %, 100 MB. */
class AsPublishedTest {

  private static final AsPublished PAPER = AsPublished.DEFAULTS;
  private static final Hop PATH = Hop.of(0.064, 0.001);
  private static final List<Hop> HALVES = Cascade.equalHops(PATH, 2, LossDivision.UNCHANGED).hops();
  private static final long BYTES = 100_000_000;

  @Test
  void equation4IsMathis() {
    assertThat(PAPER.bitsPerSecond(PATH)).isCloseTo(7.0101e6, within(1e3));
  }

  @Test
  void condition3SaysOfTheOverheadWhatCondition2SaysOfTheWhole() {
    assertThat(PAPER.overheadAllowanceSeconds(PATH, HALVES, BYTES)).isCloseTo(56.04, within(0.01));
    for (long bytes = 10_000; bytes < BYTES; bytes *= 2) {
      boolean overheadIsSmall =
          PAPER.setupSeconds(0.064) < PAPER.overheadAllowanceSeconds(PATH, HALVES, bytes);
      assertThat(overheadIsSmall).isEqualTo(prefersCascade(PATH, HALVES, bytes));
    }
  }

  @Test
  void equation5TakesTheSizeOverMathisRate() {
    assertThat(PAPER.longHaulSeconds(PATH, BYTES)).isCloseTo(8 * BYTES / 7.0103e6, within(0.01));
  }

  @Test
  void equation6TakesTheSlowestHopAndSixteenWindowsOfAll() {
    double halfTheTime = PAPER.longHaulSeconds(PATH, BYTES) / 2;
    assertThat(PAPER.pipelinedTransferSeconds(HALVES, BYTES))
        .isCloseTo(halfTheTime + 16 * 0.064, within(1e-9));
  }

  @Test
  void equation6sBottleneckIsTheHopWithTheLeastBandwidth() {
    List<Hop> uneven = List.of(Hop.of(0.01, 0.001), Hop.of(0.054, 0.001));
    double slow = PAPER.longHaulSeconds(uneven.getLast(), BYTES);
    assertThat(PAPER.pipelinedTransferSeconds(uneven, BYTES))
        .isCloseTo(slow + 16 * 0.064, within(1e-9));
  }

  @Test
  void equation7IsOneAndAHalfRoundTrips() {
    assertThat(PAPER.setupSeconds(0.064)).isCloseTo(0.096, within(1e-12));
    assertThat(PAPER.cascadedSeconds(HALVES, BYTES))
        .isCloseTo(0.096 + PAPER.pipelinedTransferSeconds(HALVES, BYTES), within(1e-9));
  }

  @Test
  void condition2PrefersTheCascadeForLongTransfersOnly() {
    assertThat(prefersCascade(PATH, HALVES, BYTES)).isTrue();
    assertThat(prefersCascade(PATH, HALVES, 100_000)).isFalse();
  }

  @Test
  void equation8GainsThreeHalvesPowers() {
    double none = PAPER.bitsPerSecondWithRelays(PATH, 0);
    assertThat(PAPER.bitsPerSecondWithRelays(PATH, 1) / none).isCloseTo(2.83, within(0.002));
    assertThat(none).isCloseTo(7.0103e6 / PAPER.constant(), within(1e3));
  }

  @Test
  void equation9IsTheSlopeOfEquation8() {
    double oneRelay = PAPER.marginalBitsPerSecond(PATH, 1);
    assertThat(oneRelay / PAPER.bitsPerSecondWithRelays(PATH, 0))
        .isCloseTo(1.5 * Math.sqrt(2), within(1e-9));
  }

  /** Inequality 2: whether T_cascaded is below T_lh. */
  private static boolean prefersCascade(Hop path, List<Hop> hops, long bytes) {
    return PAPER.cascadedSeconds(hops, bytes) < PAPER.longHaulSeconds(path, bytes);
  }
}
