package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Rate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for every chain, over random ones. */
class CascadePropertiesTest {

  private static final int CHAINS = 300;

  /**
   * Reno knows no unit of time: all round trips doubled and all capacities halved is a slow film.
   */
  @Test
  void takesTwiceTheTimeWhereAllTimesDouble() {
    RandomCascades random = new RandomCascades(21);
    for (int i = 0; i < CHAINS; i++) {
      Cascade cascade = withReno(random.any());
      List<Hop> stretched = cascade.hops().stream().map(CascadePropertiesTest::stretched).toList();
      Cascade slow =
          new Cascade(
              stretched,
              cascade.setup(),
              cascade.relays(),
              2 * cascade.relayDelaySeconds(),
              cascade.initialWindow());
      long bytes = random.bytes();
      double seconds = cascade.deliver(bytes).totalSeconds();
      assertThat(slow.deliver(bytes).totalSeconds()).isCloseTo(2 * seconds, within(1e-9 * seconds));
    }
  }

  @Test
  void isNeverFasterWithMoreToMove() {
    RandomCascades random = new RandomCascades(22);
    for (int i = 0; i < CHAINS; i++) {
      Cascade cascade = random.any();
      long bytes = random.bytes();
      double seconds = cascade.deliver(bytes).totalSeconds();
      // the positions followed differ with the length
      assertThat(cascade.deliver(2 * bytes).totalSeconds()).isGreaterThanOrEqualTo(seconds * 0.99);
    }
  }

  @Test
  void aFurtherHopIsNeverFree() {
    RandomCascades random = new RandomCascades(23);
    for (int i = 0; i < CHAINS; i++) {
      Cascade cascade = random.any();
      Hop further = random.hop();
      List<Hop> longer = Stream.concat(cascade.hops().stream(), Stream.of(further)).toList();
      Cascade chain = Cascade.of(longer);
      long bytes = random.bytes();
      double least =
          Cascade.of(cascade.hops()).deliver(bytes).totalSeconds() + further.rttSeconds() / 2;
      assertThat(chain.deliver(bytes).totalSeconds()).isGreaterThanOrEqualTo(least * 0.99);
      assertThat(chain.steadyBitsPerSecond())
          .isLessThanOrEqualTo(Cascade.of(cascade.hops()).steadyBitsPerSecond());
    }
  }

  @Test
  void anUnhurriedRelayIsNeverFasterThanOneThatForwardsAtOnce() {
    RandomCascades random = new RandomCascades(24);
    for (int i = 0; i < CHAINS; i++) {
      Cascade cascade = random.any();
      long bytes = random.bytes();
      double atOnce = cascade.deliver(bytes).totalSeconds();
      for (RelayDiscipline relays :
          List.of(
              new RelayDiscipline.CutThrough(3),
              new RelayDiscipline.Chunked(100_000),
              new RelayDiscipline.StoreAndForward())) {
        assertThat(cascade.withRelays(relays).deliver(bytes).totalSeconds())
            .isGreaterThanOrEqualTo(atOnce * 0.99);
      }
    }
  }

  @Test
  void neverMovesMoreThanItsSlowestHop() {
    RandomCascades random = new RandomCascades(25);
    for (int i = 0; i < CHAINS; i++) {
      Cascade cascade = random.any();
      long bytes = random.bytes();
      assertThat(cascade.deliver(bytes).goodputBitsPerSecond(bytes))
          .isLessThan(cascade.steadyBitsPerSecond());
    }
  }

  private static Cascade withReno(Cascade cascade) {
    List<Hop> hops =
        cascade.hops().stream()
            .map(hop -> hop.withCongestionControl(CongestionControl.RENO))
            .toList();
    return new Cascade(
        hops,
        cascade.setup(),
        cascade.relays(),
        cascade.relayDelaySeconds(),
        cascade.initialWindow());
  }

  private static Hop stretched(Hop hop) {
    Hop longer = hop.withRtt(2 * hop.rttSeconds());
    return hop.capacityBitsPerSecond().isPresent()
        ? longer.withCapacity(new Rate(hop.capacityBitsPerSecond().getAsDouble() / 2))
        : longer;
  }
}
