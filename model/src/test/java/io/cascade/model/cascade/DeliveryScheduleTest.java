package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.units.Rate;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The thinned recursion against the exact one. */
class DeliveryScheduleTest {

  private static final int CHAINS = 400;

  @Test
  void agreesWithThePacketRecursionWithinOnePercent() {
    RandomCascades random = new RandomCascades(1);
    for (int i = 0; i < CHAINS; i++) {
      assertAgrees(random.any(), random.bytes(), 0.01);
    }
  }

  @Test
  void agreesWherePacketSizesDifferFromHopToHop() {
    RandomCascades random = new RandomCascades(2);
    for (int i = 0; i < CHAINS; i++) {
      assertAgrees(random.anyWithMixedPackets(), random.bytes(), 0.01);
    }
  }

  @Test
  void agreesWhereRelaysWaitBeforeTheyStart() {
    RandomCascades random = new RandomCascades(3);
    for (int i = 0; i < CHAINS; i++) {
      RelayDiscipline waiting = new RelayDiscipline.CutThrough(random.between(0.1, 20));
      assertAgrees(random.any().withRelays(waiting), random.bytes(), 0.01);
    }
  }

  @Test
  void agreesWhereRelaysForwardInChunks() {
    RandomCascades random = new RandomCascades(4);
    for (int i = 0; i < CHAINS; i++) {
      RelayDiscipline chunks = new RelayDiscipline.Chunked((long) random.between(1000, 20e6));
      assertAgrees(random.any().withRelays(chunks), random.bytes(), 0.01);
    }
  }

  @Test
  void agreesWhereRelaysStoreEverything() {
    RandomCascades random = new RandomCascades(5);
    for (int i = 0; i < CHAINS; i++) {
      assertAgrees(
          random.any().withRelays(new RelayDiscipline.StoreAndForward()), random.bytes(), 0.01);
    }
  }

  /**
   * The case that the simple bound gets wrong: a long first hop's slow start starves a slow hop
   * behind it.
   */
  @Test
  void countsTheStarvationThatTheBoundOverlooks() {
    Hop longRamp = Hop.of(0.4, 1e-7).withCapacity(Rate.ofMegabits(100));
    Hop slow = Hop.of(0.01, 1e-7).withCapacity(Rate.ofMegabits(20));
    Cascade cascade = Cascade.of(List.of(longRamp, slow));
    long bytes = 3_000_000;
    double exact = cascade.setupSeconds() + PacketRecursion.transferSeconds(cascade, bytes);
    assertThat(cascade.deliver(bytes).totalSeconds()).isCloseTo(exact, within(0.01 * exact));
    assertThat(cascade.leastSeconds(bytes)).isLessThan(0.9 * exact);
  }

  private static void assertAgrees(Cascade cascade, long bytes, double share) {
    double exact = PacketRecursion.transferSeconds(cascade, bytes);
    CascadeTime time = cascade.deliver(bytes);
    assertThat(time.totalSeconds() - time.setupSeconds())
        .as("%s bytes over %s", bytes, cascade)
        .isCloseTo(exact, within(share * exact));
  }
}
