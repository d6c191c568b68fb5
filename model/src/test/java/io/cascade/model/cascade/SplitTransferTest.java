package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.cascade.SplitTransfer.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SplitTransferTest {

  @Test
  void allWaysEndTogether() {
    SplitTransfer split = new SplitTransfer(List.of(new Way(0.1, 8e6), new Way(0.3, 8e6)));
    assertThat(split.seconds(1_000_000)).isCloseTo(0.7, within(1e-12));
    assertThat(split.bytesPerWay(1_000_000).get(0)).isCloseTo(600_000, within(1e-6));
    assertThat(split.bytesPerWay(1_000_000).get(1)).isCloseTo(400_000, within(1e-6));
  }

  @Test
  void aWayThatComesTooLateCarriesNothing() {
    SplitTransfer split = new SplitTransfer(List.of(new Way(5, 1e9), new Way(0.1, 8e6)));
    assertThat(split.seconds(1_000_000)).isCloseTo(1.1, within(1e-12));
    assertThat(split.bytesPerWay(1_000_000)).containsExactly(0.0, 1e6);
  }

  @Test
  void sharesAddUpAndAnotherWayNeverHurts() {
    Random random = new Random(5);
    for (int i = 0; i < 1000; i++) {
      List<Way> ways = new ArrayList<>();
      long bytes = 1L + random.nextInt(100_000_000);
      double before = Double.POSITIVE_INFINITY;
      for (int w = 0; w < 6; w++) {
        ways.add(new Way(random.nextDouble() * 3, 1e4 + random.nextDouble() * 1e8));
        SplitTransfer split = new SplitTransfer(ways);
        double carried = split.bytesPerWay(bytes).stream().mapToDouble(Double::doubleValue).sum();
        assertThat(carried).isCloseTo((double) bytes, within(1e-9 * bytes));
        assertThat(split.seconds(bytes)).isLessThanOrEqualTo(before);
        before = split.seconds(bytes);
      }
    }
  }

  @Test
  void refusesNoWayAndWaysThatCarryNothing() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SplitTransfer(List.of()))
        .withMessage("ways: [] (expected: at least one)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Way(0, 0))
        .withMessage("bitsPerSecond: 0.0 (expected: > 0 and finite)");
  }
}
