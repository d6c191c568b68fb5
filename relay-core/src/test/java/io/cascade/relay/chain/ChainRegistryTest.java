package io.cascade.relay.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.relay.junction.JunctionInlet;
import io.cascade.relay.junction.JunctionResources;
import io.cascade.relay.junction.SegmentCounters;
import io.cascade.relay.pump.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** The bound on chains, and when one is forgotten. */
class ChainRegistryTest {
  private static final MemoryBudget.Ledger LEDGER = new MemoryBudget(1 << 20).newLedger();

  private static final int MOST = 3;

  private final ChainRegistry registry = new ChainRegistry(MOST, _ -> {});

  @Test
  void installationsAtTheSameTimeDoNotExceedTheBound() throws Exception {
    int callers = 8;
    try (var threads = Executors.newFixedThreadPool(callers)) {
      for (int round = 0; round < 500; round++) {
        CyclicBarrier start = new CyclicBarrier(callers);
        List<Future<InstalledChain>> claims = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
          UUID id = new UUID(round, i);
          claims.add(
              threads.submit(() -> {
                start.await();
                return registry.claim(id, ChainRegistryTest::chain);
              }));
        }
        List<InstalledChain> claimed = new ArrayList<>();
        for (Future<InstalledChain> claim : claims) {
          try {
            claimed.add(claim.get());
          } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(PartRefused.class);
          }
        }
        assertThat(claimed).hasSize(MOST);
        assertThat(registry.all()).hasSize(MOST);
        claimed.forEach(registry::release);
        assertThat(registry.all()).isEmpty();
      }
    }
  }

  @Test
  void refusesOneMoreAndTakesAnotherInThePlaceOfOneThatWent() throws Exception {
    List<InstalledChain> held = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      held.add(registry.claim(new UUID(1, i), ChainRegistryTest::chain));
    }
    assertThatThrownBy(() -> registry.claim(new UUID(2, 0), ChainRegistryTest::chain))
        .isInstanceOfSatisfying(
            PartRefused.class, e -> assertThat(e.kind()).isEqualTo(PartRefused.Kind.LIMIT));
    assertThat(registry.claim(new UUID(1, 0), ChainRegistryTest::chain)).isSameAs(held.getFirst());
    registry.release(held.getLast());
    assertThat(registry.claim(new UUID(2, 0), ChainRegistryTest::chain)).isNotNull();
  }

  @Test
  void aChainThatIsBeingInstalledIsNotForgotten() throws Exception {
    InstalledChain first = registry.claim(new UUID(1, 1), ChainRegistryTest::chain);
    InstalledChain second = registry.claim(new UUID(1, 1), ChainRegistryTest::chain);
    registry.release(first);
    registry.forgetIfIdle(first); // as when its last stream ends, or it is removed
    assertThat(registry.get(new UUID(1, 1))).isSameAs(second);
    registry.release(second);
    assertThat(registry.get(new UUID(1, 1))).isNull();
  }

  @Test
  void whatDrainsTakesNothingAnyMore() throws Exception {
    registry.move(ChainRegistry.Serving.PAUSED);
    assertThatThrownBy(registry::checkServing).hasMessageContaining("handing over");
    registry.move(ChainRegistry.Serving.OPEN);
    registry.checkServing();
    registry.move(ChainRegistry.Serving.DRAINING);
    registry.move(ChainRegistry.Serving.OPEN);
    assertThatThrownBy(registry::checkServing).hasMessageContaining("shutting down");
  }

  private static InstalledChain chain(UUID id) {
    return new InstalledChain(
        id,
        new Lease(0, 0),
        accounts ->
            new JunctionInlet(
                new JunctionResources(_ -> LEDGER, () -> 0, new SegmentCounters()), accounts),
        (_, _, _, _) -> {});
  }
}
