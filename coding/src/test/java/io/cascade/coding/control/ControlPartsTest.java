package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ControlPartsTest {
  private static final long SECOND = 1_000_000_000;

  /** RFC 9438: W_max = 100, β = 0.7: K = ∛(30/0.4) = 4.2 s until it is back. */
  @Test
  void cubicIsBackAtItsHighestAfterK() {
    CubicWindow cubic = new CubicWindow();
    cubic.begin(100, 0);
    double window = cubic.cut(100, 0);
    assertThat(window).isEqualTo(70);
    double roundTrip = 0.2;
    double t = 0;
    while (window < 99.9) {
      t += roundTrip;
      window = cubic.grown(window, (long) (t * SECOND), roundTrip);
    }
    assertThat(t).isBetween(3.4, 4.4);
  }

  @Test
  void cubicGrowsAtLeastAsReno() {
    CubicWindow cubic = new CubicWindow();
    cubic.begin(10, 0);
    double window = cubic.cut(10, 0);
    for (int i = 1; i <= 10; i++) {
      window = cubic.grown(window, (long) (i * 0.01 * SECOND), 0.01);
    }
    assertThat(window).isGreaterThanOrEqualTo(7 + 5 * 0.5);
  }

  @Test
  void aPeakIsLeftOnceAndASmallerOneNeedsToComeNear() {
    QueuePeaks peaks = new QueuePeaks();
    double[] means = {1, 5, 10, 9, 8};
    int left = 0;
    for (double mean : means) {
      left += peaks.note(mean, 0) ? 1 : 0;
    }
    assertThat(left).isEqualTo(1);
    assertThat(peaks.highest()).isEqualTo(10);
    // A ripple below 70 % of the peak is none.
    for (double mean : new double[] {4, 3, 5, 6, 4}) {
      assertThat(peaks.note(mean, 0)).isFalse();
    }
    for (double mean : new double[] {6, 9}) {
      assertThat(peaks.note(mean, 0)).isFalse();
    }
    assertThat(peaks.note(7, 0)).isTrue();
  }

  @Test
  void capacityIsTheHighestOfTheLastMinute() {
    CapacityEstimate capacity = new CapacityEstimate();
    assertThat(capacity.highest()).isZero();
    capacity.note(0, 100);
    capacity.note(10 * SECOND, 60);
    capacity.note(30 * SECOND, 80);
    assertThat(capacity.highest()).isEqualTo(100);
    capacity.note(61 * SECOND, 50);
    assertThat(capacity.highest()).isEqualTo(80);
    for (int i = 0; i < 100_000; i++) {
      capacity.note(62 * SECOND + i, 50 - i * 1e-6);
    }
    assertThat(capacity.highest()).isEqualTo(80);
  }

  @Test
  void jitterIsNotAQueue() {
    QueueDelay queue = new QueueDelay();
    queue.beginRound();
    for (int i = 0; i < 100; i++) {
      queue.arrived(i * 1_000_000L, i % 4 == 0 ? 1e6 : 9e6, 100e6);
    }
    queue.endRound();
    assertThat(queue.mean()).isCloseTo(0, within(1.0));
    assertThat(queue.high()).isCloseTo(0, within(1.0));
  }

  @Test
  void aProbeNeedsSeveralWitnessesAndEnds() {
    Probe probe = new Probe(10, 5);
    probe.arrived(4, 0, 1);
    probe.arrived(5, 0, 1);
    assertThat(probe.foundEmpty()).isFalse();
    probe.arrived(6, 3, 1);
    probe.arrived(7, 1, 1);
    assertThat(probe.foundEmpty()).isTrue();
    probe.lost(8);
    probe.lost(2);
    assertThat(probe.packets()).isEqualTo(4);
    assertThat(probe.lost()).isEqualTo(1);
    int rounds = 1;
    while (!probe.roundEnded()) {
      rounds++;
    }
    assertThat(rounds).isLessThanOrEqualTo(6);
  }
}
