package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.cascade.relay.pump.MemoryBudget.Ledger;
import java.lang.management.ManagementFactory;
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
  void lookingMakesNoGarbage() {
    Ledger loop = budget.newLedger();
    Ledger other = budget.newLedger();
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = loop.allowance(0) + threads.getCurrentThreadAllocatedBytes(); // loads classes

    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 10_000; i++) {
      least = Math.min(least, loop.allowance(0) + other.allowance(1));
    }

    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
    assertThat(least).isPositive();
  }

  @Test
  void whoHoldsNothingMayAlwaysReadALittle() {
    Ledger loop = budget.newLedger();
    loop.charge(TOTAL);

    assertThat(loop.allowance(0)).isEqualTo(MemoryBudget.FLOOR_BYTES);
    assertThat(loop.allowance(1)).isNegative();
  }
}
