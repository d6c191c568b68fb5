package io.cascade.packets.processing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.pipes.TestPipes;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Packets of 1,500 bytes take 7.77 ms on a pipe of 1.544 Mbit/s. */
class EarliestDeliveryTest {
  private final Pipes pipes = TestPipes.of(40, 80);
  private final EarliestDelivery splitter = new EarliestDelivery(TestPipes.set(pipes));
  private int sequence;
  private long now;

  /** After 40 ms / 7.77 ms = 5.1 packets the longer pipe delivers earlier. */
  @Test
  void usesTheLongerPipeOnceTheShorterOneIsAsLateAsThat() {
    assertThat(sends(6)).containsExactly(0, 0, 0, 0, 0, 0);
    assertThat(sends(4)).containsExactly(1, 0, 1, 0);
  }

  @Test
  void emptyPipesAreUsedFromTheQuickestOnAgain() {
    sends(20);

    now += 200_000_000L;
    TestPacket ack = TestPacket.inbound().acknowledgment(sequence);
    splitter.inbound(ack.packet(), new PipeId(0), now);
    now += 800_000_000L;
    assertThat(sends(2)).containsExactly(0, 0);
  }

  @Test
  void whatIsSentAgainGoesByTheQuickestPipe() {
    sends(9);

    sequence = 0;
    assertThat(sends(9)).containsOnly(0);
  }

  @Test
  void aFullQueueIsAvoidedWhileAnotherHasRoom() {
    int[] all = sends(100);

    // 51 packets each: one on the link, 50 in its queue.
    assertThat(Arrays.stream(all).sum()).isBetween(49, 51);
  }

  private int[] sends(int packets) {
    int[] chosen = new int[packets];
    for (int i = 0; i < packets; i++) {
      TestPacket form = TestPacket.outbound().sequence(sequence).payload(1_460);
      sequence += 1_460;
      PipeId pipe = ((Operation.Deliver) splitter.outbound(form.packet(), now)).pipe();
      pipes.at(pipe).sent(form.packet().bytes().length, now);
      chosen[i] = pipe.number();
    }
    return chosen;
  }
}
