package io.cascade.model.cascade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.units.Rate;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for every chain, over random ones. */
class CascadePropertiesTest {

  private static final int CHAINS = 300;

  /**
   * The square root of loss knows no unit of time: all round trips doubled and all capacities
   * halved is a slow film.
   */
  @Test
  void takesTwiceTheTimeWhereAllTimesDouble() {
    RandomCascades random = new RandomCascades(21);
    for (int i = 0; i < CHAINS; i++) {
      Cascade cascade = withTheSquareRoot(random.any());
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
      // of a warm chain it may be: what the former last relay opened anew is now open already
      Cascade chain = chained(longer);
      long bytes = random.bytes();
      double least =
          chained(cascade.hops()).deliver(bytes).totalSeconds() + further.rttSeconds() / 2;
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
  void neverMovesMoreThanAnyLinkCarries() {
    RandomCascades random = new RandomCascades(25);
    for (int i = 0; i < CHAINS; i++) {
      Cascade cascade = random.any();
      long bytes = random.bytes();
      double carried =
          cascade.hops().stream().mapToDouble(Hop::unhinderedBitsPerSecond).min().orElseThrow();
      assertThat(cascade.deliver(bytes).goodputBitsPerSecond(bytes)).isLessThan(carried);
    }
  }

  /** What the beginning is ahead by is the same however long the rest takes. */
  @Test
  void aLongStreamSettlesToTheRateOfItsSlowestHop() {
    RandomCascades random = new RandomCascades(26);
    for (int i = 0; i < CHAINS; i++) {
      Cascade cascade = random.any();
      long half = 1L << 42;
      double seconds =
          cascade.deliver(2 * half).totalSeconds() - cascade.deliver(half).totalSeconds();
      assertThat(8.0 * half / seconds)
          .isCloseTo(cascade.steadyBitsPerSecond(), within(0.005 * cascade.steadyBitsPerSecond()));
    }
  }

  private static Cascade chained(List<Hop> hops) {
    return TestCascades.withSetup(SetupMode.CHAINED, Cascade.of(hops));
  }

  private static Cascade withTheSquareRoot(Cascade cascade) {
    List<Hop> hops =
        cascade.hops().stream().map(hop -> hop.withModel(MathisThroughput.RANDOM_LOSS)).toList();
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
