package io.cascade.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A link's direction under a clock that the test moves: every time here is exact. */
class LinkDirectionTest {
  private static final int SLOTS = 1 << 12;
  private static final long MILLI = 1_000_000;
  private static final LinkShape IDEAL = LinkShape.of(Duration.ofMillis(10), LinkShape.UNLIMITED);

  private final PacketPool pool = new PacketPool(Arena.ofAuto().allocate(SLOTS * 64L), 64);

  @Test
  void delaysEveryPacketByAsMuchAndTakesNoTimeToSerialiseWithoutARate() {
    Line line = new Line(IDEAL);

    line.take(0, 1_500).take(0, 1_500).take(3 * MILLI, 40);

    assertThat(line.arrivals())
        .containsExactly(
            new Arrival(0, 10 * MILLI), new Arrival(1, 10 * MILLI), new Arrival(2, 13 * MILLI));
  }

  @Test
  void serialisesOneAfterTheOtherAtTheRate() {
    // 1,000 bytes at 8 Mbit/s take a millisecond.
    Line line = new Line(LinkShape.of(Duration.ofMillis(10), 8_000_000));

    line.take(0, 1_000).take(0, 500).take(5 * MILLI, 1_000);

    assertThat(line.arrivals())
        .containsExactly(
            new Arrival(0, 11 * MILLI),
            new Arrival(1, 11 * MILLI + MILLI / 2),
            new Arrival(2, 16 * MILLI));
  }

  @Test
  void keepsToItsRateHoweverLateAndSeldomSomebodyLooks() {
    LinkShape shape = LinkShape.of(Duration.ofMillis(1), 8_000_000).withQueueBytes(1_000_000);
    Line line = new Line(shape);
    for (int i = 0; i < 1_000; i++) {
      line.take(0, 1_000);
    }

    assertThat(line.arrivals().getLast()).isEqualTo(new Arrival(999, 1_001 * MILLI));
  }

  /** One is serialised and two wait, however short they are. */
  @Test
  void aQueueOfPacketsCountsPackets() {
    LinkShape shape = LinkShape.of(Duration.ofMillis(10), 8_000_000).withQueuePackets(2);
    Line line = new Line(shape);

    line.take(0, 1_000).take(0, 40).take(0, 1_500).take(0, 40);

    assertThat(line.arrivals()).extracting(Arrival::packet).containsExactly(0, 1, 2);
    assertThat(line.direction.statistics(0).droppedPackets()).isEqualTo(1);
  }

  @Test
  void dropsWhatFindsTheQueueFullInBytesAndNothingElse() {
    LinkShape shape = LinkShape.of(Duration.ofMillis(10), 8_000_000).withQueueBytes(3_000);
    Line line = new Line(shape);

    // One is being serialised, three wait, the fifth does not fit; a smaller one would not either.
    for (int i = 0; i < 5; i++) {
      line.take(0, 1_000);
    }
    line.take(0, 1);
    // After a millisecond there is room for one again.
    line.take(MILLI, 1_000);

    assertThat(line.arrivals()).extracting(Arrival::packet).containsExactly(0, 1, 2, 3, 6);
    assertThat(line.direction.statistics(0).droppedPackets()).isEqualTo(2);
    assertThat(line.direction.statistics(0).takenPackets()).isEqualTo(7);
    assertThat(line.direction.statistics(0).forwardedPackets()).isEqualTo(5);
  }

  @Test
  void losesAsManyAsItIsToldWithinTheBinomialIntervalOf99Percent() {
    for (double probability : new double[] {0.0001, 0.001, 0.01, 0.1, 0.5}) {
      int packets = 1_000_000;
      LossProcess loss = new LossProcess(new Loss.Bernoulli(probability), 42);
      int lost = 0;
      for (int i = 0; i < packets; i++) {
        lost += loss.loses() ? 1 : 0;
      }
      double mean = packets * probability;
      assertThat((double) lost)
          .as("loss %s", probability)
          .isCloseTo(mean, within(2.576 * Math.sqrt(mean * (1 - probability))));
    }
  }

  @Test
  void losesInBurstsOfTheLengthAndShareThatItIsTold() {
    Loss bursts = Loss.GilbertElliott.bursts(0.02, 5);
    LossProcess loss = new LossProcess(bursts, 7);
    int packets = 2_000_000;
    int lost = 0;
    int runs = 0;
    boolean before = false;
    for (int i = 0; i < packets; i++) {
      boolean now = loss.loses();
      lost += now ? 1 : 0;
      runs += now && !before ? 1 : 0;
      before = now;
    }

    assertThat(bursts.meanProbability()).isCloseTo(0.02, within(1e-12));
    assertThat((double) lost / packets).isCloseTo(0.02, within(0.001));
    assertThat((double) lost / runs).isCloseTo(5, within(0.1));
  }

  @Test
  void losesTheSamePacketsUnderTheSameSeedAndOthersUnderAnother() {
    LinkShape shape = IDEAL.withLoss(new Loss.Bernoulli(0.2)).withJitter(Duration.ofMillis(5));

    List<Arrival> once = thousand(new Line(shape, 1));

    assertThat(thousand(new Line(shape, 1))).isEqualTo(once);
    assertThat(thousand(new Line(shape, 2))).isNotEqualTo(once);
  }

  @Test
  void losesAfterSerialisationSoThatALostPacketHasTakenItsTimeOnTheWire() {
    Line line =
        new Line(LinkShape.of(Duration.ofMillis(10), 8_000_000).withLoss(new Loss.Bernoulli(1)));
    line.take(0, 1_000);
    line.direction.reshape(0, LinkShape.of(Duration.ofMillis(10), 8_000_000).withLoss(Loss.NONE));
    line.take(0, 1_000);

    // The loss was drawn when the packet had been serialised, under the shape of that time.
    assertThat(line.arrivals())
        .containsExactly(new Arrival(0, 11 * MILLI), new Arrival(1, 12 * MILLI));
  }

  @Test
  void jittersWithinItsBoundsAndNeverReorders() {
    LinkShape shape = IDEAL.withJitter(Duration.ofMillis(4));

    List<Arrival> arrivals = thousand(new Line(shape));

    assertThat(arrivals).extracting(Arrival::packet).isSorted();
    assertThat(arrivals)
        .allSatisfy(arrival -> {
          long sent = arrival.packet() * (MILLI / 10);
          assertThat(arrival.nanos() - sent).isBetween(6 * MILLI, 14 * MILLI);
        });
    assertThat(arrivals.stream().map(a -> a.nanos() - a.packet() * (MILLI / 10)).distinct())
        .hasSizeGreaterThan(100);
  }

  @Test
  void reordersTheShareThatItIsToldByLettingOthersOvertake() {
    LinkShape shape = IDEAL.withReordering(0.1, Duration.ofMillis(1));

    List<Arrival> arrivals = thousand(new Line(shape));

    long late =
        arrivals.stream()
            .filter(arrival -> arrival.nanos() == arrival.packet() * (MILLI / 10) + 11 * MILLI)
            .count();
    assertThat(arrivals).hasSize(1_000);
    assertThat(late).isBetween(75L, 125L);
    assertThat(arrivals).isSortedAccordingTo(Comparator.comparingLong(Arrival::nanos));
    assertThat(arrivals.stream().map(Arrival::packet).sorted().toList())
        .isNotEqualTo(arrivals.stream().map(Arrival::packet).toList());
  }

  @Test
  void changesApplyToWhatIsNotSerialisedYetAndKeepTheOrder() {
    Line line = new Line(LinkShape.of(Duration.ofMillis(100), LinkShape.UNLIMITED));
    line.take(0, 1_000);

    line.direction.reshape(MILLI, LinkShape.of(Duration.ofMillis(1), LinkShape.UNLIMITED));
    line.take(2 * MILLI, 1_000);

    assertThat(line.arrivals())
        .containsExactly(new Arrival(0, 100 * MILLI), new Arrival(1, 100 * MILLI));
  }

  @Test
  void anOutageLosesEverythingAndEnds() {
    Line line = new Line(IDEAL);
    line.direction.reshape(0, IDEAL.withDown(true));
    line.take(0, 1_000).take(MILLI, 1_000);
    line.direction.reshape(2 * MILLI, IDEAL);
    line.take(3 * MILLI, 1_000);

    assertThat(line.arrivals()).containsExactly(new Arrival(2, 13 * MILLI));
    assertThat(line.direction.statistics(0).lostPackets()).isEqualTo(2);
  }

  @Test
  void everyPacketIsAccountedForAndItsMemoryGivenBack() {
    LinkShape shape =
        LinkShape.of(Duration.ofMillis(10), 8_000_000)
            .withQueueBytes(20_000)
            .withLoss(new Loss.Bernoulli(0.3))
            .withReordering(0.1, Duration.ofMillis(3));
    Line line = new Line(shape);
    thousand(line);

    DirectionStatistics done = line.direction.statistics(Long.MAX_VALUE / 2);
    assertThat(done.forwardedPackets() + done.lostPackets() + done.droppedPackets())
        .isEqualTo(done.takenPackets());
    assertThat(done.droppedPackets()).isPositive();
    assertThat(done.queueBytes()).isZero();
    assertThat(pool.free()).isEqualTo(SLOTS);
  }

  private List<Arrival> thousand(Line line) {
    for (int i = 0; i < 1_000; i++) {
      line.take(i * (MILLI / 10), 1_000);
    }
    return line.arrivals();
  }

  private record Arrival(int packet, long nanos) {}

  /** Takes packets in and out of a direction at the times that the direction itself names. */
  private final class Line {
    private final LinkDirection direction;
    private final List<Arrival> arrived = new ArrayList<>();
    private final int[] packetInSlot = new int[SLOTS];
    private int taken;

    Line(LinkShape shape) {
      this(shape, 1);
    }

    Line(LinkShape shape, long seed) {
      this.direction = new LinkDirection(shape, pool, seed, 0);
    }

    Line take(long nanos, int length) {
      runUntil(nanos);
      int slot = pool.take();
      packetInSlot[slot] = taken++;
      direction.take(nanos, slot, length);
      return this;
    }

    List<Arrival> arrivals() {
      runUntil(LinkDirection.NEVER - 1);
      return arrived;
    }

    private void runUntil(long nanos) {
      while (direction.nextNanos() <= nanos) {
        long now = direction.nextNanos();
        while (direction.isDue(now)) {
          arrived.add(new Arrival(packetInSlot[direction.dueSlot()], now));
          direction.forwarded();
        }
      }
    }
  }
}
