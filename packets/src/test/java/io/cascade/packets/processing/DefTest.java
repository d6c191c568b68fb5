package io.cascade.packets.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.TestPipes;
import io.cascade.packets.processing.DefState.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** DEF as the source's chapter 5 gives it. Segments of 1,000 octets, numbered from 0. */
class DefTest {
  private static final long MILLI = 1_000_000L;
  private static final int SIZE = 1_000;
  private static final PipeId BACK = new PipeId(0);

  private final Def def = new Def(TestPipes.set(40, 80));
  private int first;
  private long now;

  @Test
  void everyPairOfStateAndEvent() {
    assertThat(DefState.NO_LOSS.on(Event.RETRANSMITTED)).isEqualTo(DefState.RETRANSMISSION);
    assertThatThrownBy(() -> DefState.NO_LOSS.on(Event.RECOVERED))
        .isInstanceOf(IllegalStateException.class);
    assertThat(DefState.RETRANSMISSION.on(Event.RETRANSMITTED)).isEqualTo(DefState.RETRANSMISSION);
    assertThat(DefState.RETRANSMISSION.on(Event.RECOVERED)).isEqualTo(DefState.NO_LOSS);
    assertThat(DefState.values()).hasSize(2);
    assertThat(Event.values()).hasSize(2);
  }

  @Test
  void withoutLossAllPipesTakeTurns() {
    assertThat(send(0)).isEqualTo(0);
    assertThat(send(1)).isEqualTo(1);
    assertThat(send(2)).isEqualTo(0);
    assertThat(send(3)).isEqualTo(1);
  }

  /**
   * Section 5.3: packet 1 takes 80 ms; packets 2 and, 30 ms later, 4 take 40 ms and overtake it and
   * packet 3; so do not packet 0, before it, and packet 6, which is sent 40 ms after packet 5.
   */
  @Test
  void estimatesADuplicateForEachPacketThatOvertakes() {
    send(0);
    send(1);
    assertThat(def.estimatedDuplicates()).isZero();
    send(2);
    assertThat(def.estimatedDuplicates()).isEqualTo(1);
    send(3);
    now += 30 * MILLI;
    send(4);
    assertThat(def.estimatedDuplicates()).isEqualTo(2);
    send(5);
    now += 40 * MILLI;
    send(6);
    assertThat(def.estimatedDuplicates()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -2_000, Integer.MAX_VALUE - 1_500})
  void filtersAsManyDuplicatesAsItEstimatedAcrossTheWrapToo(int start) {
    first = start;
    send(0);
    send(1);
    send(2);
    send(3);
    send(4);

    assertThat(acknowledge(1)).isEqualTo(new Operation.DeliverNear());
    assertThat(acknowledge(1)).isEqualTo(new Operation.Drop());
    assertThat(acknowledge(1)).isEqualTo(new Operation.Drop());
    assertThat(acknowledge(1)).isEqualTo(new Operation.DeliverNear());
    assertThat(def.counts().filteredAcks()).isEqualTo(2);
  }

  @Test
  void onlyDuplicatesAreFiltered() {
    send(0);
    send(1);
    send(2);
    acknowledge(1);

    assertThat(inbound(ack(1).payload(10))).isEqualTo(new Operation.DeliverNear());
    assertThat(inbound(ack(1).window(2_000))).isEqualTo(new Operation.DeliverNear());
    assertThat(inbound(ack(0))).isEqualTo(new Operation.DeliverNear());
    assertThat(inbound(ack(1).window(3_000).sack(2_000, 3_000))).isEqualTo(new Operation.Drop());
    assertThat(acknowledge(3)).isEqualTo(new Operation.DeliverNear());
  }

  @Test
  void answersToProbesPassWhenNothingIsOutstanding() {
    send(0);
    send(1);
    send(2);
    acknowledge(3);

    assertThat(acknowledge(3)).isEqualTo(new Operation.DeliverNear());
  }

  @Test
  void aRetransmissionLeavesTheQuickestPipeAloneAndFiltersNothing() {
    send(0);
    send(1);
    send(2);
    acknowledge(0);

    assertThat(send(0)).isEqualTo(0);
    assertThat(def.state()).isEqualTo(DefState.RETRANSMISSION);
    assertThat(def.estimatedDuplicates()).isZero();
    assertThat(send(3)).isEqualTo(0);
    assertThat(send(4)).isEqualTo(0);
    assertThat(acknowledge(0)).isEqualTo(new Operation.DeliverNear());
  }

  @Test
  void repetitionOfTheLastPacketIsNoticed() {
    send(0);

    send(0);
    assertThat(def.state()).isEqualTo(DefState.RETRANSMISSION);
  }

  /** Section 5.2.2. Packets 0 to 2 were sent at 0; the latest arrival is packet 1's, at 80 ms. */
  @ParameterizedTest
  @CsvSource({
    "3, 80, NO_LOSS", // all of it acknowledged, all of it arrived
    "3, 79, RETRANSMISSION", // what the long pipe carries may still be on its way
    "2, 90, RETRANSMISSION", // a partial acknowledgment
    "0, 90, RETRANSMISSION" // not a new one
  })
  void leavesRetransmissionByAllThreeCriteria(int acknowledged, long millis, DefState after) {
    send(0);
    send(1);
    send(2);
    acknowledge(0);
    send(0);

    now = millis * MILLI;
    acknowledge(acknowledged);
    assertThat(def.state()).isEqualTo(after);
  }

  @Test
  void keepAliveProbesRepeatNothing() {
    send(0);
    acknowledge(1);

    for (int octets = 0; octets <= 1; octets++) {
      def.outbound(TestPacket.outbound().sequence(SIZE - 1).payload(octets).packet(), now);
      assertThat(def.state()).isEqualTo(DefState.NO_LOSS);
    }
  }

  private int send(int segment) {
    Operation done =
        def.outbound(
            TestPacket.outbound().sequence(first + segment * SIZE).payload(SIZE).packet(), now);
    return ((Operation.Deliver) done).pipe().number();
  }

  private Operation acknowledge(int segment) {
    return inbound(ack(segment));
  }

  private TestPacket ack(int segment) {
    return TestPacket.inbound().acknowledgment(first + segment * SIZE);
  }

  private Operation inbound(TestPacket form) {
    return def.inbound(form.packet(), BACK, now);
  }
}
