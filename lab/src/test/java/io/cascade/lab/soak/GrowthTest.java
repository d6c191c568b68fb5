package io.cascade.lab.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.lab.soak.Growth.Rest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GrowthTest {
  private static final long MIB = 1 << 20;
  private static final long VISITS = 2_000;

  @Test
  void aKibibyteThatEachVisitLeavesIsSeen() {
    long each = VISITS * 1_024;
    assertThat(failure(rests(12 * MIB, 14 * MIB, 14 * MIB + each, 14 * MIB + 2 * each)))
        .hasValueSatisfying(failure -> assertThat(failure).contains("1024 bytes for each"));
  }

  @Test
  void whatWarmingUpTakesIsNone() {
    assertThat(failure(rests(8 * MIB, 14 * MIB, 14 * MIB + 1_000, 14 * MIB + 2_000))).isEmpty();
  }

  @Test
  void whatComesAndGoesIsNone() {
    assertThat(failure(rests(12 * MIB, 12 * MIB, 18 * MIB, 17 * MIB))).isEmpty();
    assertThat(failure(rests(12 * MIB, 12 * MIB, 11 * MIB, 17 * MIB))).isEmpty();
  }

  @Test
  void nothingIsSaidOfAHeapThatCannotBeSeen() {
    assertThat(failure(rests(0, 0, 0, 0))).isEmpty();
    assertThat(failure(rests(12 * MIB, 13 * MIB, 0, 90 * MIB))).isEmpty();
  }

  @Test
  void sessionsThatComeAndGoAreNoneWhereThereAreSome() {
    List<Rest> rests = rests(12 * MIB, 12 * MIB, 26 * MIB, 28 * MIB);
    assertThat(failure(rests)).isPresent();
    assertThat(Growth.failure(rests, 24 * MIB)).isEmpty();
    assertThat(Growth.failure(rests, 10 * MIB)).isPresent();
  }

  private static Optional<String> failure(List<Rest> rests) {
    return Growth.failure(rests, 0);
  }

  private static List<Rest> rests(long... liveHeapBytes) {
    List<Rest> rests = new ArrayList<>();
    for (long bytes : liveHeapBytes) {
      rests.add(new Rest(60L * rests.size(), VISITS * rests.size(), bytes, 150 * MIB));
    }
    return rests;
  }
}
