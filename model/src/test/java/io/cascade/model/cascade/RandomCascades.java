package io.cascade.model.cascade;

import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Chains and transfers over the range of the sources' Table I and beyond, reproducible from a seed.
 */
final class RandomCascades {

  private final Random random;

  RandomCascades(long seed) {
    random = new Random(seed);
  }

  Cascade any() {
    int count = 1 + random.nextInt(6);
    List<Hop> hops = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      hops.add(hop());
    }
    SetupMode[] modes = SetupMode.values();
    Cascade opened = TestCascades.withSetup(modes[random.nextInt(modes.length)], Cascade.of(hops));
    return TestCascades.withRelayDelay(
        random.nextBoolean() ? 0 : random.nextDouble() * 0.005, opened);
  }

  Cascade anyWithMixedPackets() {
    Cascade cascade = any();
    List<Hop> hops =
        cascade.hops().stream().map(hop -> withMtu(500 + random.nextInt(1001), hop)).toList();
    return TestCascades.withSetup(cascade.setup(), Cascade.of(hops));
  }

  private static Hop withMtu(int bytes, Hop hop) {
    return new Hop(
        hop.rttSeconds(),
        hop.lossProbability(),
        hop.capacityBitsPerSecond(),
        Framing.ETHERNET_1500.withMtu(bytes),
        hop.model(),
        hop.receiveWindowBytes());
  }

  Hop hop() {
    Hop hop =
        Hop.of(between(0.001, 0.512), between(1e-5, 0.05))
            .withCongestionControl(
                random.nextBoolean() ? CongestionControl.RENO : CongestionControl.CUBIC);
    if (random.nextInt(4) > 0) {
      hop = hop.withCapacity(Rate.ofMegabits(between(0.5, 1000)));
    }
    return random.nextInt(4) > 0 ? hop : hop.withReceiveWindow(32768L << random.nextInt(8));
  }

  /** A size from one byte to 150 MB, evenly over the orders of magnitude. */
  long bytes() {
    return (long) between(1, 150e6);
  }

  /** Evenly over the orders of magnitude. */
  double between(double low, double high) {
    return low * Math.pow(high / low, random.nextDouble());
  }
}
