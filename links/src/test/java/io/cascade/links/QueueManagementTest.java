package io.cascade.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policers, PIE and marks, under a clock that the test moves. */
class QueueManagementTest {
  private static final int SLOTS = 1 << 12;
  private static final int SLOT_BYTES = 2_048;
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final int LENGTH = 1_000;

  /** A packet takes a millisecond. */
  private static final LinkShape LINK =
      LinkShape.of(Duration.ofMillis(10), 8_000_000).withQueueBytes(1_000_000);

  private static final LinkShape PIE =
      LINK.withManagement(new QueueManagement.Pie(QueueManagement.PIE_TARGET, false));
  private static final LinkShape PIE_WITH_ECN =
      LINK.withManagement(new QueueManagement.Pie(QueueManagement.PIE_TARGET, true));

  private static final int NOT_ECT = 0;
  private static final int ECT_0 = 2;
  private static final int CE = 3;

  private final MemorySegment memory = Arena.ofAuto().allocate((long) SLOTS * SLOT_BYTES);
  private final PacketPool pool = new PacketPool(memory, SLOT_BYTES);

  /** Over any time, from the first packet on. */
  @RepeatedTest(20)
  void aPolicerPassesNoMoreThanItsBurstAndItsRate(RepetitionInfo run) {
    SplittableRandom random = new SplittableRandom(run.getCurrentRepetition());
    Policer policer =
        new Policer(random.nextLong(100_000, 50_000_000), 1_500 + random.nextInt(60_000));
    LinkDirection direction = direction(LINK.withPolicer(policer));
    long now = 0;
    long passed = 0;
    for (int i = 0; i < 2_000; i++) {
      now += random.nextLong(2 * MILLI);
      int length = 40 + random.nextInt(1_461);
      long before = direction.statistics(now).policedPackets();
      take(direction, now, NOT_ECT, length);
      passed += direction.statistics(now).policedPackets() == before ? length : 0;
      assertThat((double) passed)
          .isLessThanOrEqualTo(policer.burstBytes() + now / 8e9 * policer.bitsPerSecond() + 1);
    }
  }

  @Test
  void aPolicerPassesWhatKeepsToItsRate() {
    LinkDirection direction = direction(LINK.withPolicer(new Policer(8_000_000, 1_500)));
    for (int i = 0; i < 1_000; i++) {
      take(direction, i * MILLI, NOT_ECT, LENGTH);
    }
    assertThat(direction.statistics(SECOND).policedPackets()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"1.05", "1.2", "1.5", "2"})
  void pieKeepsTheDelayNearItsTargetHoweverMuchComes(double load) {
    LinkDirection direction = direction(PIE);
    double waited = 0;
    int looks = 0;
    long step = Math.round(MILLI / load);
    for (long now = 0; now < 60 * SECOND; now += step) {
      take(direction, now, NOT_ECT, LENGTH);
      if (now > 30 * SECOND) {
        waited += direction.statistics(now).queueBytes() / (double) LENGTH;
        looks++;
      }
    }
    assertThat(waited / looks).as("packets of a millisecond").isBetween(8.0, 25.0);
    DirectionStatistics done = direction.statistics(60 * SECOND);
    assertThat(done.droppedPackets()).as("found the queue full").isZero();
    assertThat(done.earlyPackets() / (double) done.takenPackets())
        .isBetween(0.9 * (1 - 1 / load), 1.1 * (1 - 1 / load) + 0.01);
  }

  @Test
  void pieDropsNothingOfABurstNorOfALinkThatIsNotFull() {
    LinkDirection direction = direction(PIE);
    for (int i = 0; i < 100; i++) {
      take(direction, 0, NOT_ECT, LENGTH);
    }
    for (long now = SECOND; now < 10 * SECOND; now += MILLI + MILLI / 10) {
      take(direction, now, NOT_ECT, LENGTH);
    }
    assertThat(direction.statistics(10 * SECOND).earlyPackets()).isZero();
  }

  @Test
  void marksInsteadOfDroppingWhereTheSenderUnderstandsIt() {
    LinkDirection marking = overloaded(PIE_WITH_ECN, ECT_0);
    assertThat(marking.statistics(30 * SECOND).markedPackets()).isPositive();

    LinkDirection dropping = overloaded(PIE_WITH_ECN, NOT_ECT);
    assertThat(dropping.statistics(30 * SECOND).markedPackets()).isZero();
    assertThat(dropping.statistics(30 * SECOND).earlyPackets()).isPositive();

    LinkDirection without = overloaded(PIE, ECT_0);
    assertThat(without.statistics(30 * SECOND).markedPackets()).isZero();
  }

  /** Of a tenth and more only drops are heard (RFC 8033, section 5.1). */
  @Test
  void whatDoesNotHeedMarksIsDropped() {
    LinkDirection direction = direction(PIE_WITH_ECN);
    for (long now = 0; now < 60 * SECOND; now += MILLI / 2) {
      take(direction, now, ECT_0, LENGTH);
    }
    DirectionStatistics done = direction.statistics(60 * SECOND);
    assertThat(done.earlyPackets()).isGreaterThan(done.takenPackets() / 3);
    assertThat(done.droppedPackets() / (double) done.takenPackets()).isLessThan(0.1);
  }

  @Test
  void aMarkChangesTheFieldAndTheChecksumAlone() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 1_000; i++) {
      MemorySegment packet = ipv4(random);
      byte[] before = packet.toArray(ValueLayout.JAVA_BYTE);
      boolean isMarked = EcnMark.set(packet);
      byte[] after = packet.toArray(ValueLayout.JAVA_BYTE);

      assertThat(isMarked).isEqualTo((before[1] & CE) != NOT_ECT);
      assertThat(after[1] & CE).isEqualTo(isMarked ? CE : NOT_ECT);
      assertThat(after[1] & ~CE).isEqualTo(before[1] & ~CE);
      assertThat(checksum(after)).as("over the whole header").isZero();
    }
  }

  @Test
  void marksIpv6AndNothingThatIsNoIp() {
    MemorySegment packet = MemorySegment.ofArray(new byte[40]);
    packet.set(ValueLayout.JAVA_BYTE, 0, (byte) 0x60);
    assertThat(EcnMark.set(packet)).as("not ECT").isFalse();
    packet.set(ValueLayout.JAVA_BYTE, 1, (byte) 0x2a);
    assertThat(EcnMark.set(packet)).isTrue();
    assertThat(packet.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 0x3a);
    assertThat(packet.get(ValueLayout.JAVA_BYTE, 10)).as("no checksum").isZero();

    assertThat(EcnMark.set(MemorySegment.ofArray(new byte[40]))).isFalse();
    assertThat(EcnMark.set(MemorySegment.ofArray(new byte[3]))).isFalse();
  }

  @Test
  void numbersOutOfRangeAreRefusedByName() {
    assertThatThrownBy(() -> new Policer(10, 10_000)).hasMessageContaining("police: 10 bit/s");
    assertThatThrownBy(() -> new Policer(10_000, 10)).hasMessageContaining("burst of 10 bytes");
    assertThatThrownBy(() -> new QueueManagement.Pie(Duration.ofNanos(1), true))
        .hasMessageContaining("pie:");
  }

  /** A little more than the link carries, so that the probability stays below a tenth. */
  private LinkDirection overloaded(LinkShape shape, int ecn) {
    LinkDirection direction = direction(shape);
    for (long now = 0; now < 30 * SECOND; now += MILLI * 95 / 100) {
      take(direction, now, ecn, LENGTH);
    }
    return direction;
  }

  private LinkDirection direction(LinkShape shape) {
    return new LinkDirection(shape, pool, 1, 0);
  }

  private void take(LinkDirection direction, long now, int ecn, int length) {
    while (direction.isDue(now)) {
      direction.forwarded();
    }
    int slot = pool.take();
    MemorySegment packet = memory.asSlice((long) slot * SLOT_BYTES, length);
    packet.set(ValueLayout.JAVA_BYTE, 0, (byte) 0x45);
    packet.set(ValueLayout.JAVA_BYTE, 1, (byte) ecn);
    direction.take(now, slot, length);
  }

  private static MemorySegment ipv4(SplittableRandom random) {
    byte[] packet = new byte[20 + random.nextInt(100)];
    random.nextBytes(packet);
    packet[0] = 0x45;
    packet[10] = 0;
    packet[11] = 0;
    int sum = checksum(packet);
    packet[10] = (byte) (sum >> 8);
    packet[11] = (byte) sum;
    return MemorySegment.ofArray(packet);
  }

  /** RFC 1071, of the first 20 octets. */
  private static int checksum(byte[] packet) {
    int sum = 0;
    for (int i = 0; i < 20; i += 2) {
      sum += (packet[i] & 0xff) << 8 | (packet[i + 1] & 0xff);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return ~sum & 0xffff;
  }
}
