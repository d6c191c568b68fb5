package io.cascade.studies.measured;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.measured.EmulatedPath.Bottleneck;
import io.cascade.studies.measured.EmulatedPath.Ends;
import io.cascade.studies.measured.EmulatedPath.Layout;
import io.cascade.studies.measured.PathGenerator.Factor;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PathGeneratorTest {
  private static final List<EmulatedPath> BLOCK = PathGenerator.paths(PathGenerator.BLOCK, 1);

  @Test
  void theSameSeedDrawsTheSamePathsAndAShorterListBeginsALongerOne() {
    assertThat(PathGenerator.paths(100, 7).subList(0, 30)).isEqualTo(PathGenerator.paths(30, 7));
    assertThat(PathGenerator.paths(30, 8)).isNotEqualTo(PathGenerator.paths(30, 7));
  }

  @Test
  void eachFactorTakesEachShareOfItsRangeOnce() {
    List<Map<Factor, Double>> rows = PathGenerator.hypercube(new Random(3));
    for (Factor factor : Factor.values()) {
      assertThat(
              rows.stream()
                  .map(row -> (int) (PathGenerator.BLOCK * row.getOrDefault(factor, -1.0)))
                  .sorted()
                  .toList())
          .isEqualTo(IntStream.range(0, PathGenerator.BLOCK).boxed().toList());
    }
  }

  @Test
  void aBlockHasEveryKindInItsShare() {
    assertThat(count(path -> path.control().equals("reno"))).isEqualTo(10);
    assertThat(count(path -> path.control().equals("bbr"))).isEqualTo(10);
    assertThat(count(path -> !path.control().equals(path.relayControl()))).isEqualTo(10);
    assertThat(count(path -> path.ends() == Ends.RELAYS)).isEqualTo(20);
    assertThat(count(path -> path.layout() == Layout.OFF_PATH)).isEqualTo(20);
    assertThat(count(path -> path.bottleneck() == Bottleneck.NONE)).isEqualTo(16);
    assertThat(count(path -> path.loss() == 0)).isEqualTo(6);
    assertThat(count(path -> path.burst() > 1)).isEqualTo(16);
    assertThat(BLOCK.stream().map(path -> path.places().size()).distinct()).hasSize(3);
  }

  @Test
  void staysWithinItsRanges() {
    for (EmulatedPath path : PathGenerator.paths(120, 1)) {
      assertThat(path.megabits()).isBetween(10.0, 100.0);
      assertThat(path.rttMillis()).isBetween(20.0, 250.0);
      assertThat(path.loss()).isBetween(0.0, 0.02);
      assertThat(path.detour()).isBetween(1.0, 1.5);
      assertThat(path.places()).isSorted().allMatch(place -> place > 0 && place < 1);
      assertThat(new PathNetwork(path).topology("some").links()).isNotEmpty();
    }
  }

  private static long count(java.util.function.Predicate<EmulatedPath> kind) {
    return BLOCK.stream().filter(kind).count();
  }
}
