package io.cascade.coding.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Rules of docs/how/coding.md, each of which an earlier version broke and starved somebody by it.
 */
class ControllerInvariantsTest {
  private static final double MILLI = 1e6;
  private static final double ROUND_TRIP = 100 * MILLI;

  @Test
  void theLowestDelayIsRaisedByProbesAlone() {
    QueueDelay queue = new QueueDelay();
    queue.arrived(0, 10 * MILLI, ROUND_TRIP);
    // Ten minutes of a standing queue.
    for (long t = 1; t < 600_000; t++) {
      double q = queue.arrived((long) (t * MILLI), 50 * MILLI, ROUND_TRIP);
      if (q != 40 * MILLI) {
        throw new AssertionError("after %d ms the queue counts as %s ns".formatted(t, q));
      }
    }
    queue.raise(40 * MILLI);
    assertThat(queue.arrived((long) (600_000 * MILLI), 50 * MILLI, ROUND_TRIP)).isZero();
  }

  @Test
  void baseLossIsLearnedBelowCapacityAlone() {
    Feed feed = new Feed();
    feed.round(Integer.MAX_VALUE, 0, 0);
    // Overload in START: a queue far beyond the target, and half of everything lost.
    for (int round = 0; round < 20; round++) {
      feed.round(40, 0.5, 80 * MILLI);
    }
    assertThat(feed.controller.baseLoss()).isLessThan(0.05);
  }

  @Test
  void aDeepProbeIsSizedByWhatWasDelivered() {
    DelayMode delay = new DelayMode();
    delay.begin(1_000, true);
    double bound = Double.MAX_VALUE;
    for (int round = 0; round < 40; round++) {
      // Never a queue, 90 % lost: what is sent says nothing about what the path bears.
      delay.round(1_000, signals(0, 1_000, 100, 900, 1_000));
      bound = delay.bound() == Double.MAX_VALUE ? bound : delay.bound();
      delay.arrived(round, 0, MILLI);
    }
    assertThat(bound).isCloseTo(80, within(1e-9));
  }

  /** Half of everything is lost, as much in the probes. */
  @Test
  void deepProbesGetRarerWhileTheyFindNoPolicer() {
    DelayMode delay = new DelayMode();
    delay.begin(1_000, false);
    List<Integer> shallowBetween = new ArrayList<>();
    int shallow = 0;
    for (int round = 0; round < 2_000; round++) {
      boolean probed = delay.isProbing();
      delay.round(1_000, signals(0, 1_000, 500, 500, 1_000));
      if (!probed && delay.isProbing()) {
        boolean isDeep = delay.bound() == 0.8 * 500;
        if (isDeep) {
          shallowBetween.add(shallow);
        }
        shallow = isDeep ? 0 : shallow + 1;
      }
      for (int i = 0; i < 10; i++) {
        delay.arrived(i, 0, MILLI);
        delay.lost(i);
      }
    }
    assertThat(shallowBetween).startsWith(0, 0, 1, 1, 3, 3, 7, 7, 15, 15, 15);
  }

  private static DelayMode.Signals signals(
      double queue, double emptyWindow, double deliveredWindow, int lost, int packets) {
    return new DelayMode.Signals(
        queue,
        queue,
        12 * MILLI,
        4 * MILLI,
        ROUND_TRIP,
        emptyWindow,
        emptyWindow,
        deliveredWindow,
        emptyWindow,
        lost,
        packets,
        0,
        1,
        0,
        true);
  }

  @Test
  void moreThanFortyFivePercentLostBoundsTheWindow() {
    OverloadGuard guard = new OverloadGuard();
    for (int i = 0; i < 600; i++) {
      assertThat(guard.isOverloaded(0.5, 0)).isFalse();
      guard.note(i, i % 2 == 0);
    }
    assertThat(guard.isOverloaded(0.5, 0)).isTrue();
    assertThat(guard.isOverloaded(0.4, 0)).as("the last round was better").isFalse();
    assertThat(guard.bound(1_000, 0.9, 600)).isCloseTo(900 / 0.35, within(1e-9));
    for (int i = 0; i < 600; i++) {
      guard.note(600 + i, i % 5 == 0);
    }
    assertThat(guard.isOverloaded(0.5, 0)).isFalse();
  }

  @Test
  void whatProbesLoseIsNoOverloadUpToSixtyFivePercent() {
    OverloadGuard guard = new OverloadGuard();
    for (int i = 0; i < 600; i++) {
      guard.note(i, i % 2 == 0);
    }
    assertThat(guard.isOverloaded(0.5, 0.5)).isFalse();
    for (int i = 0; i < 600; i++) {
      guard.note(600 + i, i % 3 != 0);
    }
    assertThat(guard.isOverloaded(0.66, 0.9)).isTrue();
  }

  /** No probe has told yet. The packets that were under way when the bound began do not count. */
  @Test
  void whatIsLostUnderTheBoundIsNoOverload() {
    OverloadGuard guard = new OverloadGuard();
    for (int i = 0; i < 600; i++) {
      guard.note(i, i % 2 == 0);
    }
    guard.endRound(620);
    assertThat(guard.bound(1_000, 0, 620)).isCloseTo(900, within(1e-9));
    for (int i = 600; i < 620; i++) {
      guard.note(i, false);
    }
    guard.endRound(630);
    assertThat(guard.isOverloaded(0.5, 0)).as("nothing of the bound has come back").isTrue();
    for (int i = 620; i < 640; i++) {
      guard.note(i, i % 2 == 0);
    }
    assertThat(guard.isOverloaded(0.55, 0)).isFalse();
    assertThat(guard.bound(1_000, 0, 640)).isCloseTo(900 / 0.5, within(1e-9));
  }

  /**
   * Of what is sent at three times what the path carries two thirds are lost, and under a bound
   * nothing.
   */
  @Test
  void anOverloadStaysOneWhenItsBoundHasEnded() {
    OverloadGuard guard = new OverloadGuard();
    for (int i = 0; i < 600; i++) {
      guard.note(i, i % 3 != 0);
    }
    guard.endRound(600);
    guard.bound(1_000, 0, 600);
    guard.endRound(650);
    for (int i = 600; i < 1_200; i++) {
      guard.note(i, i >= 650 && i % 3 != 0);
    }
    assertThat(guard.isOverloaded(0.66, 0)).isTrue();
    assertThat(guard.bound(1_000, 0, 1_200)).isCloseTo(900, within(1e-9));
  }

  @Test
  void startCountsWhatIsDelivered() {
    Feed feed = new Feed();
    for (int round = 0; round < 4; round++) {
      feed.round(Integer.MAX_VALUE, 0, 0);
    }
    assertThat(feed.controller.mode()).isEqualTo("start");
    // The window still doubles, but no more than 100 packets arrive in a round.
    for (int round = 0; round < 6; round++) {
      feed.round(100, 0, 0);
    }
    assertThat(feed.controller.mode()).isEqualTo("delay");
    assertThat(feed.controller.windowPackets()).isLessThan(200);
  }

  @Test
  void startDecidesNothingOnRoundsOfFewPackets() {
    Feed feed = new Feed();
    for (int round = 0; round < 3; round++) {
      feed.round(18, 0, 0);
    }
    assertThat(feed.controller.mode()).isEqualTo("start");
  }

  /** A receiver that stood still gets what has come meanwhile at once. */
  @Test
  void startIsNotLeftWithTheRateOfATrain() {
    Feed feed = new Feed();
    for (int round = 0; round < 4; round++) {
      feed.round(Integer.MAX_VALUE, 0, 0);
    }
    double inRoundTrip = feed.controller.windowPackets();
    feed.train(40, 80 * MILLI);
    feed.round(Integer.MAX_VALUE, 0, 80 * MILLI);
    assertThat(feed.controller.mode()).isEqualTo("delay");
    assertThat(feed.controller.capacity()).isLessThan(2 * inRoundTrip / 0.1);
    assertThat(feed.controller.windowPackets()).isLessThan(2 * inRoundTrip);
  }

  @Test
  void aTimeoutCutsNothingAndTheThirdInARowHalves() {
    DelayCompete controller = new DelayCompete();
    double window = controller.windowPackets();
    controller.onTimeout(1);
    controller.onTimeout(2);
    assertThat(controller.windowPackets()).isEqualTo(window);
    controller.onTimeout(3);
    assertThat(controller.windowPackets()).isEqualTo(window / 2);
  }

  @Test
  void modesMoveAsTheirTableSays() {
    ControlMode start = ControlMode.START;
    // CAPACITY_FOUND, QUEUE_OF_OTHERS, EMPTY, IDLE
    assertRow(start, ControlMode.DELAY, start, start, start);
    assertRow(ControlMode.DELAY, ControlMode.DELAY, ControlMode.COMPETE, ControlMode.DELAY, start);
    assertRow(
        ControlMode.COMPETE, ControlMode.COMPETE, ControlMode.COMPETE, ControlMode.DELAY, start);
  }

  private static void assertRow(ControlMode from, ControlMode... to) {
    ControlMode.Event[] events = ControlMode.Event.values();
    for (int i = 0; i < events.length; i++) {
      assertThat(from.after(events[i])).as("%s after %s", from, events[i]).isEqualTo(to[i]);
    }
  }

  /** Gives a controller rounds of 100 ms that fill its window. */
  private static final class Feed {
    private final DelayCompete controller = new DelayCompete();
    private long ordinal;
    private long nowNanos;

    /** Packets that arrive within microseconds, after a queue. */
    void train(int packets, double queueNanos) {
      long first = ordinal;
      for (int i = 0; i < packets; i++) {
        controller.onSent(nowNanos + i * 1_000_000L, ordinal++);
      }
      long receivedNanos = nowNanos + (long) (ROUND_TRIP / 2 + queueNanos);
      for (int i = 0; i < packets; i++) {
        long sentNanos = nowNanos + i * 1_000_000L;
        controller.onArrived(first + i, sentNanos, receivedNanos + i * 1_000L - sentNanos);
      }
      nowNanos += (long) (ROUND_TRIP + queueNanos);
      controller.onFeedback(nowNanos, (long) (ROUND_TRIP + queueNanos), 0);
    }

    /**
     * @param most packets that arrive; the others of the window are lost
     * @param lossRate of these
     */
    void round(int most, double lossRate, double queueNanos) {
      int packets = (int) Math.max(1, controller.windowPackets());
      long first = ordinal;
      for (int i = 0; i < packets; i++) {
        controller.onSent(nowNanos, ordinal++);
      }
      long sentNanos = nowNanos;
      nowNanos += (long) (ROUND_TRIP + queueNanos);
      for (int i = 0; i < packets; i++) {
        if (i >= most || (int) ((i + 1) * lossRate) > (int) (i * lossRate)) {
          controller.onLost(first + i);
        } else {
          long spread = (long) (i * ROUND_TRIP / packets);
          controller.onArrived(first + i, sentNanos + spread, (long) (ROUND_TRIP / 2 + queueNanos));
        }
      }
      controller.onFeedback(nowNanos, (long) (ROUND_TRIP + queueNanos), 0);
    }
  }
}
