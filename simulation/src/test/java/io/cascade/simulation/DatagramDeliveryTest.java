package io.cascade.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.control.FixedRate;
import io.cascade.coding.redundancy.PaperBlocks;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.simulation.DatagramEndpoint.Arrival;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams over a session in virtual time: none is lost, and few wait for others. */
class DatagramDeliveryTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MILLI = 1_000_000;
  private static final int COUNT = 2_000;
  private static final int FLOWS = 10;

  /** 1,000 datagrams of 500 bytes a second are half of it. */
  private static final LinkShape LINK =
      LinkShape.of(Duration.ofMillis(25), 10_000_000).withQueueBytes(125_000);

  @ParameterizedTest
  @ValueSource(strings = {"0%", "1%", "10%", "30%", "10% burst 3"})
  void everyDatagramArrivesOnce(String loss) {
    DatagramEndpoint far = run(false, Loss.parse(loss));

    assertThat(far.arrivals().stream().map(Arrival::number).sorted().toList()).isEqualTo(numbers());
  }

  @ParameterizedTest
  @ValueSource(strings = {"0%", "10%", "30%"})
  void orderedDeliveryKeepsTheOrderOfAll(String loss) {
    DatagramEndpoint far = run(true, Loss.parse(loss));

    assertThat(far.arrivals().stream().map(Arrival::number).toList()).isEqualTo(numbers());
  }

  @Test
  void withoutLossEachTakesTheLinkItsDelayAlone() {
    assertThat(run(false, Loss.NONE).arrivals())
        .allSatisfy(arrival -> assertThat(arrival.delayNanos()).isLessThan(30 * MILLI));
  }

  @Test
  void aMissingSymbolDelaysFewOfTheOthers() {
    List<Arrival> decoded = run(false, Loss.parse("10%")).arrivals();
    List<Arrival> inOrder = run(true, Loss.parse("10%")).arrivals();

    assertThat(soon(decoded)).isGreaterThan(COUNT * 8 / 10);
    assertThat(soon(inOrder)).isLessThan(COUNT / 2);
  }

  @Test
  void aFlowKeepsItsOrderButForWhatTookLongerThanTheBound() {
    long overtaken = 0;
    int[] last = new int[FLOWS];
    for (Arrival arrival : run(false, Loss.parse("1%")).arrivals()) {
      overtaken += arrival.number() < last[arrival.flow()] ? 1 : 0;
      last[arrival.flow()] = Math.max(last[arrival.flow()], arrival.number());
    }

    assertThat(overtaken).isLessThan(COUNT / 100);
  }

  private static long soon(List<Arrival> arrivals) {
    return arrivals.stream().filter(arrival -> arrival.delayNanos() < 32 * MILLI).count();
  }

  private static List<Integer> numbers() {
    return java.util.stream.IntStream.range(0, COUNT).boxed().toList();
  }

  private static DatagramEndpoint run(boolean inOrder, Loss loss) {
    DatagramEndpoint near = end(inOrder, COUNT);
    DatagramEndpoint far = end(inOrder, 0);
    VirtualNetwork network = new VirtualNetwork(LINK, LINK, 7);
    network.add(near, far, loss, 0);
    network.runUntil(60 * SECOND);
    return far;
  }

  private static DatagramEndpoint end(boolean inOrder, int count) {
    return new DatagramEndpoint(
        new FixedRate(1_800, 300),
        inOrder ? new PaperBlocks(40) : new SlidingDeficit(1),
        inOrder,
        500,
        FLOWS,
        count,
        MILLI);
  }

  /** The middle links of the tunnel's Figure 6, at a tenth of loss. */
  @ParameterizedTest
  @org.junit.jupiter.params.provider.CsvSource({
    "full, 2500000, 0",
    "half, 6000000, 0",
    "more than fits now and then, 2500000, 300000000"
  })
  void theQueueOfTheLinkStaysShortWhateverIsOffered(String load, long interval, long pause) {
    LinkShape middle = LinkShape.of(Duration.ofMillis(10), 3_000_000).withQueueBytes(100_000);
    DatagramEndpoint near =
        new DatagramEndpoint(
                new DelayCompete(), new SlidingDeficit(0), false, 1_000, FLOWS, 20_000, interval)
            .pausing(pause);
    DatagramEndpoint far =
        new DatagramEndpoint(
            new DelayCompete(), new SlidingDeficit(0), false, 1_000, FLOWS, 0, interval);
    VirtualNetwork network = new VirtualNetwork(middle, middle, 7);
    network.add(near, far, Loss.parse("10%"), 0);
    long high = 0;
    for (int ms = 5_000; ms < 40_000; ms += 100) {
      network.runUntil(ms * MILLI);
      high += near.session().account().roundTripNanos() > 60 * MILLI ? 1 : 0;
    }

    assertThat(high)
        .as(
            "looks that find a round trip above 60 ms, %s, %s",
            near.session().account(), far.arrivals().size())
        .isLessThan(35);
  }
}
