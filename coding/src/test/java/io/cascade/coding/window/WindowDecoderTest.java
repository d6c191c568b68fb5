package io.cascade.coding.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowDecoderTest {
  private static final int BYTES = 20;
  private static final int CAPACITY = 512;

  private final SymbolRing sent = new SymbolRing(CAPACITY, BYTES);
  private final SymbolRing received = new SymbolRing(CAPACITY, BYTES);
  private final SeenMap seen = new SeenMap(CAPACITY);
  private final WindowEncoder encoder = new WindowEncoder(sent);
  private final WindowDecoder decoder = new WindowDecoder(received, seen);
  private final SplittableRandom random = new SplittableRandom(4);
  private int key;

  private void make(int count) {
    for (int id = 0; id < count; id++) {
      random.nextBytes(sent.put(id));
    }
  }

  private void arrive(long id) {
    System.arraycopy(sent.get(id), 0, received.put(id), 0, BYTES);
    decoder.known(id);
  }

  private WindowDecoder.RepairEffect repair(GapSet gaps, long first, int count) {
    Cover cover = new Cover();
    cover.set(gaps, first, count, ++key, RlcCoefficients.DENSE);
    byte[] sum = encoder.encode(cover).clone();
    return decoder.repair(cover, sum, 0);
  }

  private void assertKnown(long... ids) {
    for (long id : ids) {
      assertThat(received.holds(id)).as("symbol %d", id).isTrue();
      assertThat(received.get(id)).as("symbol %d", id).isEqualTo(sent.get(id));
    }
  }

  @Test
  void oneRepairRecoversOneLoss() {
    make(4);
    arrive(0);
    arrive(1);
    arrive(3);

    assertThat(repair(GapSet.EMPTY, 0, 4)).isEqualTo(WindowDecoder.RepairEffect.USEFUL);

    assertKnown(2);
    assertThat(decoder.equations()).isZero();
    assertThat(decoder.recovered()).isEqualTo(1);
  }

  @Test
  void asManyRepairsAsLossesRecoverAllOfThem() {
    make(40);
    for (int id = 0; id < 40; id++) {
      if (id % 4 != 0) {
        arrive(id);
      }
    }
    for (int i = 0; i < 9; i++) {
      assertThat(repair(GapSet.EMPTY, 0, 40)).isEqualTo(WindowDecoder.RepairEffect.USEFUL);
    }
    assertThat(received.holds(0)).isFalse();
    assertThat(seen.nextUnseen(0, 1)).isEqualTo(1);
    assertThat(seen.nextUnseen(36, 37)).isEqualTo(36);

    repair(GapSet.EMPTY, 0, 40);

    for (int id = 0; id < 40; id++) {
      assertKnown(id);
    }
  }

  @Test
  void aLateSymbolTakesItsColumnOut() {
    make(10);
    for (int id = 2; id < 10; id++) {
      arrive(id);
    }
    repair(GapSet.EMPTY, 0, 10);
    assertThat(received.holds(1)).isFalse();

    arrive(0);

    assertKnown(0, 1);
    assertThat(decoder.equations()).isZero();
  }

  @Test
  void aLateSymbolThatWasNoPivotSolvesToo() {
    make(10);
    for (int id = 2; id < 10; id++) {
      arrive(id);
    }
    repair(GapSet.EMPTY, 0, 10);

    arrive(1);

    assertKnown(0, 1);
  }

  @Test
  void aRepairOverGapsNeedsNothingBetweenThem() {
    make(300);
    for (int id = 0; id < 300; id++) {
      if (id != 5 && id != 100 && id != 290) {
        arrive(id);
      }
    }
    GapSet gaps = new GapSet(new long[] {5, 100}, new int[] {1, 1}, 2);

    repair(gaps, 284, 16);
    repair(gaps, 284, 16);
    repair(gaps, 284, 16);

    assertKnown(5, 100, 290);
  }

  @Test
  void tellsWhatARepairWasWorth() {
    make(4);
    arrive(0);
    assertThat(repair(GapSet.EMPTY, 0, 1)).isEqualTo(WindowDecoder.RepairEffect.REDUNDANT);
    Cover cover = new Cover();
    cover.set(GapSet.EMPTY, 0, 4, 1, RlcCoefficients.DENSE);
    assertThat(decoder.repair(cover, new byte[BYTES], 2))
        .isEqualTo(WindowDecoder.RepairEffect.FORGOTTEN);
    assertThat(decoder.contradictions()).isZero();
  }

  @Test
  void changedBytesAreNoticedWhereSomethingContradictsThem() {
    make(4);
    arrive(0);
    Cover cover = new Cover();
    cover.set(GapSet.EMPTY, 0, 1, 1, RlcCoefficients.DENSE);
    decoder.repair(cover, new byte[BYTES], 0);

    assertThat(decoder.contradictions()).isEqualTo(1);
  }

  @Test
  void holdsAtMostItsBoundOfEquations() {
    SymbolRing large = new SymbolRing(4_096, BYTES);
    WindowDecoder bounded = new WindowDecoder(large, new SeenMap(large.capacity()), 100, 4_096);
    Cover cover = new Cover();
    int overflowed = 0;
    for (int i = 0; i < 150; i++) {
      cover.set(GapSet.EMPTY, 0, 1_500, i, RlcCoefficients.DENSE);
      byte[] sum = new byte[BYTES];
      random.nextBytes(sum);
      if (bounded.repair(cover, sum, 0) == WindowDecoder.RepairEffect.OVERFLOWED) {
        overflowed++;
      }
    }
    assertThat(bounded.equations()).isEqualTo(100);
    assertThat(overflowed).isEqualTo(50);
  }

  @Test
  void holdsAtMostItsBoundOfColumns() {
    SymbolRing large = new SymbolRing(4_096, BYTES);
    WindowDecoder bounded = new WindowDecoder(large, new SeenMap(large.capacity()), 100, 1_000);
    Cover cover = new Cover();
    cover.set(GapSet.EMPTY, 0, 1_000, 1, RlcCoefficients.DENSE);
    assertThat(bounded.repair(cover, new byte[BYTES], 0))
        .isEqualTo(WindowDecoder.RepairEffect.USEFUL);
    cover.set(GapSet.EMPTY, 10, 1_000, 2, RlcCoefficients.DENSE);
    assertThat(bounded.repair(cover, new byte[BYTES], 0))
        .isEqualTo(WindowDecoder.RepairEffect.OVERFLOWED);
  }

  /** Whatever arrives in whatever order: nothing wrong, and no more repairs than losses needed. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void recoversWhateverIsDetermined(long seed) {
    SplittableRandom draws = new SplittableRandom(seed);
    int count = draws.nextInt(1, 120);
    make(count);
    List<Long> lost = new ArrayList<>();
    List<Long> late = new ArrayList<>();
    for (long id = 0; id < count; id++) {
      double fate = draws.nextDouble();
      if (fate < 0.25) {
        lost.add(id);
      } else if (fate < 0.4) {
        late.add(id);
      } else {
        arrive(id);
      }
    }
    int useful = 0;
    int needed = lost.size() + late.size();
    while (needed > 0 && !allHeld(count)) {
      if (!late.isEmpty() && draws.nextBoolean()) {
        arrive(late.remove(draws.nextInt(late.size())));
      } else {
        useful += repair(GapSet.EMPTY, 0, count) == WindowDecoder.RepairEffect.USEFUL ? 1 : 0;
      }
    }
    for (long id = 0; id < count; id++) {
      assertKnown(id);
    }
    assertThat(useful).isLessThanOrEqualTo(needed);
    assertThat(decoder.equations()).isZero();
    assertThat(decoder.contradictions()).isZero();
  }

  private boolean allHeld(int count) {
    for (long id = 0; id < count; id++) {
      if (!received.holds(id)) {
        return false;
      }
    }
    return true;
  }
}
