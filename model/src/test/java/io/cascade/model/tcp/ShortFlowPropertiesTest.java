package io.cascade.model.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** What holds for every short flow, over random ones. */
class ShortFlowPropertiesTest {

  private static final int FLOWS = 2000;
  private static final double ROUNDING = 1 + 1e-9;

  private final Random random = new Random(1);

  @Test
  void isNeverFasterWithMoreLoss() {
    for (int i = 0; i < FLOWS; i++) {
      Flow flow = any();
      Flow worse = flow.withLoss(flow.loss() * (1 + random.nextDouble()));
      assertThat(worse.seconds()).as("%s", flow).isGreaterThanOrEqualTo(flow.seconds() / ROUNDING);
    }
  }

  /** Holds where capacity does not keep the window small, and with it timeouts likely. */
  @Test
  void isNeverFasterOverALongerRoundTrip() {
    for (int i = 0; i < FLOWS; i++) {
      Flow flow = any().withoutCap();
      Flow longer =
          new Flow(
              flow.rtt() * (1 + random.nextDouble()), flow.loss(), flow.capacity(), flow.packets());
      assertThat(longer.seconds()).as("%s", flow).isGreaterThanOrEqualTo(flow.seconds() / ROUNDING);
    }
  }

  @Test
  void isNeverSlowerWithMoreCapacity() {
    for (int i = 0; i < FLOWS; i++) {
      Flow flow = any();
      Flow wider =
          new Flow(
              flow.rtt(), flow.loss(), flow.capacity() * (1 + random.nextDouble()), flow.packets());
      assertThat(wider.seconds()).as("%s", flow).isLessThanOrEqualTo(flow.seconds() * ROUNDING);
    }
  }

  @Test
  void isNeverFasterWithMoreToMove() {
    for (int i = 0; i < FLOWS; i++) {
      Flow flow = any();
      Flow more =
          new Flow(
              flow.rtt(), flow.loss(), flow.capacity(), flow.packets() + random.nextInt(10_000));
      assertThat(more.seconds()).as("%s", flow).isGreaterThanOrEqualTo(flow.seconds() / ROUNDING);
    }
  }

  @Test
  void takesTwiceTheTimeWhereAllTimesDouble() {
    for (int i = 0; i < FLOWS; i++) {
      Flow flow = any();
      PftkThroughput quick = PftkThroughput.LINUX.withRetransmissionTimeout(0.3);
      PftkThroughput slow = PftkThroughput.LINUX.withRetransmissionTimeout(0.6);
      double seconds = flow.seconds(quick);
      double doubled =
          new Flow(2 * flow.rtt(), flow.loss(), flow.capacity() / 2, flow.packets()).seconds(slow);
      assertThat(doubled).isCloseTo(2 * seconds, within(1e-9 * seconds));
    }
  }

  /** A flow of 1 to some 3 million packets, over paths with and without capacity to spare. */
  private Flow any() {
    return new Flow(
        0.001 + random.nextDouble() * 0.5,
        Math.pow(10, -7 + 6 * random.nextDouble()),
        Math.pow(10, 6 + 5 * random.nextDouble()),
        (long) Math.pow(10, 6.5 * random.nextDouble()));
  }

  private record Flow(double rtt, double loss, double capacity, long packets) {

    Flow withLoss(double other) {
      return new Flow(rtt, other, capacity, packets);
    }

    Flow withoutCap() {
      return new Flow(rtt, loss, Double.POSITIVE_INFINITY, packets);
    }

    double seconds() {
      return seconds(PftkThroughput.LINUX);
    }

    double seconds(PftkThroughput connection) {
      return ShortFlow.of(connection)
          .transfer(new PathConditions(rtt, loss, 1448, capacity), packets)
          .totalSeconds();
    }
  }
}
