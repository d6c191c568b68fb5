package io.cascade.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.control.FixedRate;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.SessionSettings;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A receiver that gets its packets in trains, as GRO and a busy machine make them: a train has one
 * receive time, so that its packets seem to have come infinitely fast.
 */
class BunchedArrivalsTest {
  private static final double HUNDRED_MEGABIT = 100e6;
  private static final long MILLI = 1_000_000;
  private static final double PACKETS_PER_SECOND = HUNDRED_MEGABIT / 8 / BulkRun.PACKET_BYTES;

  /**
   * @param train packets that arrive at once
   * @param most capacity that may be believed, over the link's: what a train more or less makes of
   *     a quarter of a round trip
   */
  @ParameterizedTest
  @CsvSource({
    "50, 0.5, 0%, 32, 1.1",
    "50, 1, 1%, 32, 1.1",
    "50, 2, 5%, 32, 1.1",
    "100, 1, 20%, 32, 1.1",
    "20, 1, 0%, 32, 1.1",
    "50, 1, 20%, 200, 1.35"
  })
  void areNoReasonToSendFasterThanTheLink(
      int roundTripMillis, double buffer, String loss, int train, double most) {
    double product = PACKETS_PER_SECOND * roundTripMillis / 1e3;
    for (int seed = 1; seed <= 2; seed++) {
      DelayCompete controller = new DelayCompete();
      VirtualNetwork network = network(roundTripMillis, buffer, loss, train, seed, controller);
      long before = 0;
      boolean hasStarted = false;
      for (long ms = roundTripMillis; ms < 10_000; ms += 5L * roundTripMillis) {
        network.runUntil(ms * MILLI);
        long taken = network.forward().statistics(network.nowNanos()).takenPackets();
        if (hasStarted) {
          assertThat((taken - before) / (5 * product))
              .as("sent in five round trips before %d ms, over what the link carries", ms)
              .isLessThan(1.15);
        }
        hasStarted = !controller.mode().equals("start");
        before = taken;
        assertThat(controller.capacity() / PACKETS_PER_SECOND).isLessThan(most);
      }
    }
  }

  private static VirtualNetwork network(
      int roundTripMillis,
      double buffer,
      String loss,
      int train,
      int seed,
      DelayCompete controller) {
    SessionSettings settings =
        new SessionSettings(1, 1, 32, 1 << 14, SessionSettings.USUAL_SILENCE_NANOS, seed);
    CodedEndpoint near =
        new CodedEndpoint(
            new CodedSession(settings, controller, new SlidingDeficit(0), 0),
            settings,
            Long.MAX_VALUE);
    CodedEndpoint far =
        new CodedEndpoint(
            new CodedSession(settings, new FixedRate(1, 1), new SlidingDeficit(0), 0), settings, 0);
    double productBytes = HUNDRED_MEGABIT / 8 * roundTripMillis / 1e3;
    LinkShape shape =
        LinkShape.of(Duration.ofMillis(roundTripMillis).dividedBy(2), (long) HUNDRED_MEGABIT)
            .withQueueBytes((long) (buffer * productBytes));
    VirtualNetwork network = new VirtualNetwork(shape, shape, seed);
    network.add(near, new Trains(far, train), Loss.parse(loss), 0);
    return network;
  }

  /** Holds packets back until a train is full, or as long as it takes at 96 Mbit/s has passed. */
  private static final class Trains implements Endpoint {
    private final CodedEndpoint behind;
    private final ArrayDeque<Object> held = new ArrayDeque<>();
    private final int train;
    private long sinceNanos;

    Trains(CodedEndpoint behind, int train) {
      this.train = train;
      this.behind = behind;
    }

    @Override
    public void onPacket(Object content, long nowNanos) {
      if (held.isEmpty()) {
        sinceNanos = nowNanos;
      }
      held.add(content);
      if (held.size() == train) {
        release(nowNanos);
      }
    }

    private void release(long nowNanos) {
      while (!held.isEmpty()) {
        behind.onPacket(held.remove(), nowNanos);
      }
    }

    @Override
    public @Nullable Packet poll(long nowNanos) {
      if (!held.isEmpty() && nowNanos >= sinceNanos + train * MILLI / 8) {
        release(nowNanos);
      }
      return behind.poll(nowNanos);
    }

    @Override
    public long nextNanos() {
      long due = held.isEmpty() ? Long.MAX_VALUE : sinceNanos + train * MILLI / 8;
      return Math.min(due, behind.nextNanos());
    }
  }
}
