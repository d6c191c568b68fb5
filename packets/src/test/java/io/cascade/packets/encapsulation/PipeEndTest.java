package io.cascade.packets.encapsulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Two ends with a link of 2 Mbit/s and 30 ms one way between them, in virtual time. */
class PipeEndTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final List<IpPrefix> ANY =
      List.of(new IpPrefix(IpAddress.of(new byte[] {10, 0, 0, 0}), 24));
  private static final PipeProperties GIVEN =
      new PipeProperties(500 * MILLI, 1_000_000_000, 256 << 10, 0);

  /** By how much the far end's clock is ahead. */
  private static final long FAR_CLOCK_NANOS = 12_345 * SECOND;

  private final SplittableRandom random = new SplittableRandom(1);
  private final PriorityQueue<InFlight> flying = new PriorityQueue<>();
  private final List<byte[]> inner = new ArrayList<>();
  private PipeEnd near = end(1);
  private PipeEnd far = end(2);
  private final long[] freeNanos = new long[2];
  private long bitsPerSecond = 2_000_000;
  private double loss;
  private boolean cut;
  private long now = 5 * SECOND;
  private long flights;
  private long replies;

  @SuppressWarnings("ArrayRecordComponent") // Nobody compares the bytes.
  private record InFlight(long nanos, long order, boolean toFar, byte[] bytes)
      implements Comparable<InFlight> {
    @Override
    public int compareTo(InFlight other) {
      return nanos == other.nanos
          ? Long.compare(order, other.order)
          : Long.compare(nanos, other.nanos);
    }
  }

  @Test
  void carriesPacketsAsTheyAreOnceThePeerHasAnswered() {
    byte[] packet = TestPacket.outbound().payload(500).bytes();
    assertThat(near.packet(packet, now)).isNull();
    assertThat(near.isUp(now)).isFalse();

    runFor(SECOND);
    assertThat(near.isUp(now)).isTrue();
    send(packet);
    runFor(SECOND);
    assertThat(inner).hasSize(1);
    assertThat(inner.getFirst()).isEqualTo(packet);
  }

  @Test
  void measuresTheRoundTripWithoutQueues() {
    runFor(2 * SECOND);
    assertThat(near.properties().roundTripNanos()).isCloseTo(60 * MILLI, within(2 * MILLI));

    for (int i = 0; i < 100; i++) {
      send(TestPacket.outbound().payload(1_400).bytes());
    }
    runFor(SECOND);
    assertThat(near.properties().roundTripNanos()).isCloseTo(60 * MILLI, within(2 * MILLI));
    assertThat(near.report().smoothedRoundTripNanos()).isGreaterThan(62 * MILLI);
  }

  /** A reckoning by a rate that is a tenth too high would be 450 ms off after five seconds. */
  @Test
  void eachAnswerCorrectsTheReckoningOfWhatWaits() {
    near =
        new PipeEnd(1, new PipeProperties(60 * MILLI, 2_200_000, 1 << 20, 0), true, true, ANY, ANY);
    runFor(SECOND);
    byte[] packet = TestPacket.outbound().payload(1_210).bytes();
    for (int i = 0; i < 1_000; i++) {
      send(packet);
      runFor(5 * MILLI); // 2 Mbit/s, and with their headers more than the link carries.
    }

    long freeNanos = Objects.requireNonNull(near.measurement()).freeNanos();
    assertThat(this.freeNanos[0] - now).isGreaterThan(80 * MILLI);
    assertThat(freeNanos).isCloseTo(this.freeNanos[0], within(50 * MILLI));
  }

  /** Time in which nothing was sent before it is no room for more. */
  @Test
  void aBurstAfterAPauseWaits() {
    runFor(2 * SECOND);
    for (int i = 0; i < 20; i++) {
      send(TestPacket.outbound().payload(1_210).bytes());
    }

    long freeNanos = Objects.requireNonNull(near.measurement()).freeNanos();
    assertThat(this.freeNanos[0] - now).isCloseTo(100 * MILLI, within(10 * MILLI));
    assertThat(freeNanos).isCloseTo(this.freeNanos[0], within(10 * MILLI));
  }

  @Test
  void timesToThePeerAreThoseOfBothClocks() {
    runFor(2 * SECOND);

    PipeMeasurement measurement = Objects.requireNonNull(near.measurement());
    assertThat(measurement.outwardNanos())
        .isCloseTo(30 * MILLI + FAR_CLOCK_NANOS, within(2 * MILLI));
    assertThat(measurement.returnNanos())
        .isCloseTo(30 * MILLI - FAR_CLOCK_NANOS, within(2 * MILLI));
  }

  @Test
  void measuresTheRateByATrainBeforeAnythingIsSent() {
    runFor(2 * SECOND);

    assertThat((double) near.properties().bitsPerSecond()).isCloseTo(2e6, within(2e5));
  }

  @Test
  void followsARateThatHasFallen() {
    runFor(SECOND);
    bitsPerSecond = 1_000_000;
    for (int i = 0; i < 1_000; i++) {
      send(TestPacket.outbound().payload(1_400).bytes());
      runFor(11 * MILLI);
    }

    assertThat((double) near.properties().bitsPerSecond()).isCloseTo(1e6, within(1e5));
  }

  @Test
  void measuresLossOfPacketsThatNoQueueDropped() {
    runFor(SECOND);
    loss = 0.1;
    for (int i = 0; i < 3_000; i++) {
      runFor(10 * MILLI);
      send(TestPacket.outbound().payload(100).bytes());
    }

    assertThat(near.properties().lossProbability()).isCloseTo(0.1, within(0.05));
  }

  @Test
  void aGivenRateHolds() {
    near = new PipeEnd(1, GIVEN, true, true, ANY, ANY);
    runFor(2 * SECOND);

    assertThat(near.properties().bitsPerSecond()).isEqualTo(GIVEN.bitsPerSecond());
    assertThat(near.properties().queueBytes()).isEqualTo(GIVEN.queueBytes());
  }

  @Test
  void aPipeThatIsCutIsDownWithinHalfASecondAndUpSoonAfterItIsBack() {
    runFor(3 * SECOND);
    cut = true;
    runFor(500 * MILLI);
    assertThat(near.isUp(now)).isFalse();

    runFor(10 * SECOND);
    cut = false;
    runFor(300 * MILLI);
    assertThat(near.isUp(now)).isTrue();
    assertThat(far.isUp(now + FAR_CLOCK_NANOS)).isTrue();
  }

  /** A process that stood still has asked nothing meanwhile. */
  @Test
  void aPipeIsNotDownForAPauseOfThisProcess() {
    runFor(2 * SECOND);
    now += SECOND;

    assertThat(near.isUp(now)).isTrue();
    runFor(50 * MILLI);
    assertThat(near.isUp(now)).isTrue();
  }

  @Test
  void aPeerThatWasStartedAnewIsTakenOnceTheFormerOneIsSilent() {
    runFor(SECOND);
    far = end(3);
    runFor(3 * SECOND);

    assertThat(near.isUp(now)).isTrue();
    send(TestPacket.outbound().payload(1).bytes());
    runFor(SECOND);
    assertThat(inner).hasSize(1);
  }

  @Test
  void aPeerThatWasStartedAnewSpoilsNoMeasurement() {
    runFor(30 * SECOND);
    far = end(3);
    runFor(SECOND);
    assertThat((double) far.properties().bitsPerSecond())
        .as("by its own train")
        .isCloseTo(2e6, within(2e5));

    runFor(20 * SECOND);
    assertThat(near.properties().lossProbability()).isZero();
    assertThat((double) near.properties().bitsPerSecond()).isCloseTo(2e6, within(2e5));
    loss = 0.2;
    runFor(60 * SECOND);
    assertThat(near.properties().lossProbability()).isCloseTo(0.2, within(0.1));
    assertThat(far.properties().lossProbability()).isCloseTo(0.2, within(0.1));
  }

  @Test
  void whatIsForgedIsDropped() {
    runFor(SECOND);
    PipeEnd forger = end(9);
    PipeEnd blind = end(8);
    long before = replies;
    forger.tick(
        now,
        probe -> {
          blind.arrived(probe, probe.length, now, new Noting(false));
          far.arrived(probe, probe.length, now + FAR_CLOCK_NANOS, new Noting(false));
        });
    assertThat(replies - before).as("only from who knows no peer").isEqualTo(1);
    blind.tick(now, probe -> forger.arrived(probe, probe.length, now, new Noting(false)));
    byte[] packet = TestPacket.outbound().payload(1).bytes();
    byte[] forged = Objects.requireNonNull(forger.packet(packet, now));

    far.arrived(forged, forged.length, now + FAR_CLOCK_NANOS, new Noting(false));
    assertThat(inner).isEmpty();
    assertThat(far.report().refused()).isEqualTo(2);
    send(packet);
    runFor(SECOND);
    assertThat(inner).hasSize(1);
  }

  @Test
  void packetsFromSourcesThatAreNotBehindThePeerAreDropped() {
    runFor(SECOND);
    byte[] packet = TestPacket.outbound().payload(1).bytes();
    packet[12] = 11;
    send(packet);
    runFor(SECOND);

    assertThat(inner).isEmpty();
    assertThat(far.report().refused()).isEqualTo(1);
  }

  @Test
  void anyBytesAreAnswered() {
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(80)];
      random.nextBytes(bytes);
      if (bytes.length > 3 && random.nextBoolean()) {
        bytes[0] = (byte) (random.nextBoolean() ? 0x24 : 4);
        bytes[1] = (byte) random.nextInt(6);
        bytes[2] = 0;
        bytes[3] = 0;
      }
      near.arrived(bytes, bytes.length, now, new Noting(true));
    }

    assertThat(inner).isEmpty();
  }

  @Test
  void tokenZeroIsNobodys() {
    assertThatThrownBy(() -> end(0)).isInstanceOf(IllegalArgumentException.class);
  }

  private static PipeEnd end(long token) {
    return new PipeEnd(token, GIVEN, false, false, ANY, ANY);
  }

  private void send(byte[] packet) {
    fly(true, Objects.requireNonNull(near.packet(packet, now)));
  }

  private void fly(boolean toFar, byte[] bytes) {
    if (cut || random.nextDouble() < loss) {
      return;
    }
    int way = toFar ? 0 : 1;
    freeNanos[way] = Math.max(now, freeNanos[way]) + Math.round(bytes.length * 8e9 / bitsPerSecond);
    flying.add(new InFlight(freeNanos[way] + 30 * MILLI, flights++, toFar, bytes));
  }

  private void runFor(long nanos) {
    long end = now + nanos;
    while (now < end) {
      near.tick(now, bytes -> fly(true, bytes));
      far.tick(now + FAR_CLOCK_NANOS, bytes -> fly(false, bytes));
      long next = Math.min(end, Math.min(near.nextNanos(), far.nextNanos() - FAR_CLOCK_NANOS));
      InFlight first = flying.peek();
      if (first != null && first.nanos() <= next) {
        now = Math.max(now, first.nanos());
        arrive(flying.remove());
      } else {
        now = Math.max(now, next);
      }
    }
  }

  private void arrive(InFlight datagram) {
    PipeEnd end = datagram.toFar() ? far : near;
    long clock = datagram.toFar() ? now + FAR_CLOCK_NANOS : now;
    end.arrived(datagram.bytes(), datagram.bytes().length, clock, new Noting(!datagram.toFar()));
  }

  /** Notes packets, and sends replies. */
  private final class Noting implements PipeEnd.Taker {
    private final boolean toFar;

    Noting(boolean toFar) {
      this.toFar = toFar;
    }

    @Override
    public void packet(byte[] packet) {
      inner.add(packet);
    }

    @Override
    public void signal(byte[] message) {
      // Random bytes may be one.
    }

    @Override
    public void reply(byte[] datagram) {
      replies++;
      fly(toFar, datagram);
    }
  }
}
