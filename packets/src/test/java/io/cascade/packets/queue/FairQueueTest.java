package io.cascade.packets.queue;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.forward.IpPacket;
import io.cascade.packets.forward.TestIp;
import io.cascade.packets.queue.FairQueue.Next;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  private static final long MILLI = 1_000_000;

  private final FairQueue queue = new FairQueue(QueueLimits.USUAL, 1);

  @Test
  void flowsTakeTurnsWhateverTheyOffer() {
    for (int i = 0; i < 90; i++) {
      queue.add(packet(1, 0), 0);
    }
    for (int i = 0; i < 10; i++) {
      queue.add(packet(2, 0), 0);
    }

    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ports.add(port(requireNonNull(queue.next(0)).packet()));
    }
    assertThat(ports).filteredOn(port -> port == 2).hasSizeBetween(9, 10);
  }

  @Test
  void aFlowKeepsItsOrder() {
    for (int i = 0; i < 50; i++) {
      queue.add(TestIp.udp("10.1.0.1", "10.2.0.1", 100 + i).ports(1, 9).packet(), 0);
    }

    for (int i = 0; i < 50; i++) {
      assertThat(requireNonNull(queue.next(0)).packet().length()).isEqualTo(100 + i);
    }
    assertThat(queue.next(0)).isNull();
  }

  /** Offers 1 packet a ms, takes one every 2 ms. */
  @Test
  void aStandingQueueIsKeptShortByDropping() {
    QueueCounts counts = overload(0);

    assertThat(counts.droppedByDelay()).isPositive();
    assertThat(counts.marked()).isZero();
    assertThat(counts.droppedByLength()).isZero();
    assertThat(counts.waiting()).isLessThan(700);
  }

  @Test
  void whatUnderstandsMarksIsMarkedInstead() {
    QueueCounts counts = overload(1);

    assertThat(counts.droppedByDelay()).isZero();
    assertThat(counts.marked()).isPositive();
  }

  private QueueCounts overload(int ecn) {
    for (int ms = 0; ms < 2_000; ms++) {
      long now = ms * MILLI;
      if (ms % 2 == 1 || ms < 500) {
        queue.add(packet(1, ecn), now);
      }
      if (ms % 2 == 0) {
        queue.next(now);
      }
    }
    return queue.counts();
  }

  @Test
  void aShortBurstLosesNothing() {
    for (int i = 0; i < 20; i++) {
      queue.add(packet(1, 0), 0);
    }
    for (int i = 0; i < 20; i++) {
      assertThat(queue.next(4L * i * MILLI)).isNotNull();
    }
  }

  @Test
  void whatWaitedTooLongIsDroppedButForTheLast() {
    for (int i = 0; i < 5; i++) {
      queue.add(packet(1, 0), 0);
    }

    Next next = queue.next(QueueLimits.USUAL.mostSojournNanos() + 1);
    assertThat(next).isNotNull();
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.counts().droppedByAge()).isEqualTo(4);
  }

  @Test
  void theLongestFlowLosesWhereTheQueueIsFull() {
    queue.add(packet(2, 0), 0);
    for (int i = 0; i < QueueLimits.USUAL.mostPackets() + 10; i++) {
      queue.add(packet(1, 0), 0);
    }

    assertThat(queue.counts().droppedByLength()).isEqualTo(11);
    assertThat(queue.counts().waiting()).isEqualTo(QueueLimits.USUAL.mostPackets());
    List<Integer> first = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      first.add(port(requireNonNull(queue.next(0)).packet()));
    }
    assertThat(first).contains(2);
  }

  /** Three flows share 3 Mbit/s: each has a packet sent every 9 ms. */
  @Test
  void aSlowLinkMayHaveEightPacketsOfEachFlow() {
    for (int i = 0; i < 60; i++) {
      queue.add(packet(1 + i % 3, 0), 0);
    }
    for (int i = 0; i < 48; i++) {
      queue.next(3L * i * MILLI);
    }

    assertThat(queue.targetNanos()).isBetween(64 * MILLI, 72 * MILLI);
  }

  @Test
  void aFastLinkKeepsTheUsualTarget() {
    for (int i = 0; i < 60; i++) {
      queue.add(packet(1 + i % 3, 0), 0);
    }
    for (int i = 0; i < 48; i++) {
      queue.next(i * MILLI / 10);
    }

    assertThat(queue.targetNanos()).isEqualTo(QueueLimits.USUAL.targetNanos());
  }

  @Test
  void dropsComeQuickerTheLongerTheQueueStands() {
    CoDel delay = new CoDel();
    List<Long> drops = new ArrayList<>();
    for (long now = 0; now < 340 * MILLI; now += MILLI / 10) {
      if (delay.drops(now, 5 * MILLI, 100 * MILLI, 10 * MILLI, false)) {
        drops.add(now / MILLI);
      }
    }

    assertThat(drops).containsExactly(100L, 200L, 270L, 328L);
  }

  @Test
  void aQueueOfOnePacketIsNone() {
    CoDel delay = new CoDel();
    for (long now = 0; now < 1_000 * MILLI; now += MILLI) {
      assertThat(delay.drops(now, 5 * MILLI, 100 * MILLI, 10 * MILLI, true)).isFalse();
    }
  }

  /** An outage of a link: what a flow was told before it says nothing of the queue behind it. */
  @Test
  void whatWasTooOldDoesNotMakeTheRestDropInARow() {
    CoDel delay = new CoDel();
    long now = 0;
    while (!delay.drops(now, 5 * MILLI, 100 * MILLI, 10 * MILLI, false)) {
      now += MILLI;
    }
    delay.reset();
    now += 2_000 * MILLI;

    assertThat(delay.drops(now, 5 * MILLI, 100 * MILLI, 400 * MILLI, false)).isFalse();
    assertThat(delay.drops(now + 99 * MILLI, 5 * MILLI, 100 * MILLI, 400 * MILLI, false)).isFalse();
    assertThat(delay.drops(now + 100 * MILLI, 5 * MILLI, 100 * MILLI, 400 * MILLI, false)).isTrue();
  }

  private static IpPacket packet(int port, int ecn) {
    return TestIp.udp("10.1.0.1", "10.2.0.1", 1_000).ports(port, 9).ecn(ecn).packet();
  }

  private static int port(IpPacket packet) {
    return packet.bytes()[21];
  }
}
