package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.pump.MemoryBudget.Ledger;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final int TOTAL = 1 << 20;

  private final MemoryBudget budget = new MemoryBudget(TOTAL);

  @Test
  void loopsThatLookAtTheSameMomentTakeNoMoreThanThereIs() {
    List<Ledger> loops = Stream.generate(budget::newLedger).limit(3).toList();

    loops.stream()
        .map(loop -> (int) loop.allowance(0))
        .toList()
        .forEach(allowance -> loops.getFirst().charge(allowance));

    assertThat(budget.heldBytes()).isBetween(TOTAL - 3L, (long) TOTAL);
  }

  @Test
  void aDirectionThatHoldsMuchLeavesAsMuchFree() {
    Ledger loop = budget.newLedger();
    loop.charge(TOTAL / 4);

    assertThat(loop.allowance(TOTAL / 4)).isEqualTo(TOTAL / 2);
  }

  @Test
  void whoHoldsNothingMayAlwaysReadALittle() {
    Ledger loop = budget.newLedger();
    loop.charge(TOTAL);

    assertThat(loop.allowance(0)).isEqualTo(MemoryBudget.FLOOR_BYTES);
    assertThat(loop.allowance(1)).isNegative();
  }
}
