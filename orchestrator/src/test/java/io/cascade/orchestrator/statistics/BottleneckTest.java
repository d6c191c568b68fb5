package io.cascade.orchestrator.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.Stalls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One stream through three relays, looked at for ten seconds. */
class BottleneckTest {
  private static final double SECONDS = 10;

  private static final Stalls STARVED = waited(9.5, 0.2, 0);
  private static final Stalls HELD_UP = waited(1, 8, 0);
  private static final Stalls OUT_OF_MEMORY = waited(1, 1, 7);

  @Test
  void itIsTheHopBehindTheLastRelayThatWaitsForItsSink() {
    assertThat(forward(HELD_UP, HELD_UP, STARVED)).isEqualTo(at(2, false));
    assertThat(forward(HELD_UP, STARVED, STARVED)).isEqualTo(at(1, false));
    assertThat(forward(HELD_UP, HELD_UP, HELD_UP)).isEqualTo(at(3, false));
  }

  @Test
  void itIsBeforeTheFirstRelayWhereAllWaitForData() {
    assertThat(forward(STARVED, STARVED, STARVED)).isEqualTo(at(0, false));
  }

  @Test
  void bytesThatComeBackMeetTheRelaysInTheOtherOrder() {
    assertThat(backward(STARVED, HELD_UP, HELD_UP)).isEqualTo(at(1, false));
    assertThat(backward(HELD_UP, HELD_UP, HELD_UP)).isEqualTo(at(0, false));
    assertThat(backward(STARVED, STARVED, STARVED)).isEqualTo(at(3, false));
  }

  @Test
  void aRelayThatLacksMemoryIsSaidToLackIt() {
    assertThat(forward(HELD_UP, OUT_OF_MEMORY, STARVED)).isEqualTo(at(2, true));
  }

  @Test
  void aBurstThatPassesIsNone() {
    assertThat(forward(HELD_UP, waited(7, 2, 0), STARVED)).isEqualTo(at(1, false));
  }

  @Test
  void idleStreamsBesideDoNotHideIt() {
    assertThat(forward(waited(5_000, 8, 0), waited(5_009, 0.1, 0), waited(5_009, 0.1, 0)))
        .isEqualTo(at(1, false));
  }

  private static Bottleneck at(int hop, boolean memory) {
    return new Bottleneck(new HopAddress(0, 0, hop), memory);
  }

  private static Bottleneck forward(Stalls... relays) {
    return Bottleneck.of(waiting(true, relays), SECONDS).orElseThrow();
  }

  private static Bottleneck backward(Stalls... relays) {
    return Bottleneck.of(waiting(false, relays).reversed(), SECONDS).orElseThrow();
  }

  /** Relays from ingress to egress; hop i leads to relay i. */
  private static List<Bottleneck.Waiting> waiting(boolean forward, Stalls... relays) {
    List<Bottleneck.Waiting> waiting = new ArrayList<>();
    for (Stalls stalls : relays) {
      HopAddress in = new HopAddress(0, 0, waiting.size());
      HopAddress out = new HopAddress(0, 0, waiting.size() + 1);
      waiting.add(
          forward
              ? new Bottleneck.Waiting(in, stalls, out)
              : new Bottleneck.Waiting(out, stalls, in));
    }
    return waiting;
  }

  private static Stalls waited(double data, double sink, double budget) {
    return new Stalls(data, sink, budget);
  }
}
