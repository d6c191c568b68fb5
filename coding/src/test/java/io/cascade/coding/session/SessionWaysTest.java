package io.cascade.coding.session;

import static io.cascade.coding.session.Pair.MILLI;
import static io.cascade.coding.session.Pair.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.CarrierBound;
import io.cascade.coding.control.FixedRate;
import io.cascade.coding.control.RateController;
import io.cascade.coding.wire.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session whose datagrams take another way, in virtual time. */
class SessionWaysTest {
  private static final int BYTES = 12_000;

  private final Pair pair = new Pair(60 * SECOND);

  private void offerAll() {
    assertThat(pair.near.offer(Pair.bytes(BYTES))).isEqualTo(BYTES);
    pair.near.end();
  }

  private void assertAllArrives(long by) {
    pair.runUntil(by);
    assertThat(pair.read(pair.far)).isEqualTo(BYTES);
    assertThat(pair.far.receiving()).isEqualTo(ReceivingState.ENDED);
  }

  @Test
  void whatTheOldWayHasLostArrivesByTheNewOne() {
    offerAll();
    pair.runUntil(15 * MILLI);
    pair.path = datagram -> null;
    pair.runUntil(SECOND);
    pair.path = datagram -> datagram;
    pair.near.wayChanged(new CarrierBound(), true, pair.now);
    pair.far.wayChanged(new CarrierBound(), true, pair.now);
    assertAllArrives(SECOND + 200 * MILLI);
  }

  @Test
  void aWayBackBringsAControllerThatKnowsNothingOfWhatWasSentBefore() {
    pair.near.offer(Pair.bytes(BYTES / 2));
    pair.runUntil(15 * MILLI);
    pair.near.wayChanged(new CarrierBound(), true, pair.now);
    pair.runUntil(pair.now + 5 * MILLI);
    pair.near.offer(Pair.bytes(BYTES / 2));
    pair.near.end();
    List<Long> seen = new ArrayList<>();
    pair.near.wayChanged(new Noting(new FixedRate(10_000, 300), seen), false, pair.now);
    assertAllArrives(2 * SECOND);
    assertThat(seen).isNotEmpty().allMatch(ordinal -> ordinal >= 0);
    assertThat(seen.getFirst()).isZero();
  }

  /** A late answer makes nothing be sent twice over a reliable way. */
  @Test
  void nothingIsRepeatedOnAReliableWayThatStandsStill() {
    pair.near.wayChanged(new CarrierBound(), true, 0);
    offerAll();
    List<byte[]> held = new ArrayList<>();
    pair.path =
        datagram -> {
          held.add(datagram);
          return null;
        };
    pair.runUntil(100 * MILLI);
    int sent = held.size();
    pair.runUntil(20 * SECOND);
    assertThat(held).hasSize(sent);
  }

  @Test
  void longDatagramsThatDoNotArriveAreToldFromAPathThatIsGone() {
    offerAll();
    pair.runUntil(15 * MILLI);
    pair.path = datagram -> null;
    pair.runUntil(SECOND);
    assertThat(pair.near.answers().isBlackHole()).as("nothing arrives").isFalse();
    pair.path = datagram -> isControl(datagram) ? datagram : null;
    pair.runUntil(pair.now + 5 * SECOND);
    assertThat(pair.near.answers().isBlackHole()).as("short ones arrive").isTrue();
    pair.path = datagram -> datagram;
    pair.near.pathShrank(pair.now);
    assertThat(pair.near.answers().isBlackHole()).isFalse();
    assertAllArrives(pair.now + SECOND);
  }

  @Test
  void dataThatDoesNotArriveIsToldFromNoDataAndFromAPeerThatDoesNotAnswer() {
    pair.runUntil(5 * SECOND);
    pair.near.ping();
    pair.runUntil(6 * SECOND);
    assertThat(pair.near.answers().undeliveredNanos(pair.now)).as("nothing is sent").isZero();
    pair.near.offer(Pair.bytes(3_000));
    pair.runUntil(10 * SECOND);
    pair.near.ping();
    pair.runUntil(20 * SECOND);
    assertThat(pair.near.answers().undeliveredNanos(pair.now)).as("all has arrived").isZero();

    pair.path = datagram -> isControl(datagram) ? datagram : null;
    pair.near.offer(Pair.bytes(3_000));
    pair.runUntil(24 * SECOND);
    AnswerWatch answers = pair.near.answers();
    assertThat(answers.undeliveredNanos(pair.now)).isBetween(3 * SECOND, 4 * SECOND);
    assertThat(answers.unansweredNanos(pair.now)).isLessThan(3 * SECOND);
    assertThat(answers.deliveredNanos()).isLessThan(20 * SECOND);
    assertThat(answers.answeredNanos()).isGreaterThan(20 * SECOND);
  }

  private static boolean isControl(byte[] datagram) {
    return ((datagram[0] >> 2) & 7) == 3;
  }

  @Test
  void lossIsNoPathThatHasShrunk() {
    int[] count = new int[1];
    pair.path = datagram -> count[0]++ % 10 < 4 ? datagram : null;
    for (int second = 1; second < 20; second++) {
      pair.near.offer(Pair.bytes(3_000));
      pair.runUntil(second * SECOND);
      pair.read(pair.far);
      assertThat(pair.near.answers().isBlackHole()).isFalse();
    }
  }

  @Test
  void aTestOfAWayIsToldAndMovesNothing() {
    List<String> told = new ArrayList<>();
    pair.far.tell(
        new CodedSession.PathEvents() {
          @Override
          public void challenged(long data, int datagramBytes) {
            told.add("challenged " + data + " by " + datagramBytes);
          }

          @Override
          public void answered(long data) {
            told.add("answered " + data);
          }

          @Override
          public void advanced() {
            told.add("advanced");
          }
        });
    ByteBuffer datagram = ByteBuffer.allocate(200);
    pair.near.writePathFrame(new Frame.PathChallenge(7), 100, 0, datagram);
    ByteBuffer copy = datagram.flip().duplicate();
    assertThat(pair.far.onDatagram(datagram, MILLI)).isTrue();
    assertThat(pair.far.onDatagram(copy, MILLI)).as("the same once more").isFalse();
    pair.near.writePathFrame(new Frame.PathResponse(8), 0, 0, datagram.clear());
    pair.far.onDatagram(datagram.flip(), MILLI);
    assertThat(told).containsExactly("challenged 7 by 100", "answered 8");
    pair.near.offer(Pair.bytes(10));
    pair.runUntil(50 * MILLI);
    assertThat(told).contains("advanced");
  }

  /** An answer is as long as the datagram, which may go to somebody who has not asked. */
  @Test
  void manyTestsInADatagramAreAnsweredOnce() {
    List<Long> challenged = new ArrayList<>();
    pair.far.tell(
        new CodedSession.PathEvents() {
          @Override
          public void challenged(long data, int datagramBytes) {
            challenged.add(data);
          }
        });
    ByteBuffer datagram = ByteBuffer.allocate(1_400);
    pair.near.writePathFrame(new Frame.PathChallenge(1), 0, 0, datagram);
    for (long data = 2; data < 100; data++) {
      new Frame.PathChallenge(data).write(datagram);
    }
    assertThat(pair.far.onDatagram(datagram.flip(), MILLI)).isTrue();
    assertThat(challenged).containsExactly(1L);
  }

  /** What an outage swallows is not what the path loses. */
  @Test
  void whatIsGivenUpInAnOutageIsNoLossToTheController() {
    List<Long> lost = new ArrayList<>();
    List<Long> abandoned = new ArrayList<>();
    RateController counting =
        new Noting(new FixedRate(10_000, 300), new ArrayList<>()) {
          @Override
          public void onLost(long ordinal) {
            lost.add(ordinal);
          }

          @Override
          public void onAbandoned(long ordinal) {
            abandoned.add(ordinal);
          }
        };
    pair.near.wayChanged(counting, false, 0);
    pair.path = datagram -> null;
    offerAll();
    pair.runUntil(5 * SECOND);
    assertThat(abandoned).hasSizeGreaterThan(50);
    assertThat(lost).isEmpty();
    pair.path = datagram -> datagram;
    assertAllArrives(15 * SECOND);
    assertThat(lost).hasSizeLessThan(10);
  }

  private static class Noting implements RateController {
    private final FixedRate of;
    private final List<Long> seen;

    Noting(FixedRate of, List<Long> seen) {
      this.of = of;
      this.seen = seen;
    }

    @Override
    public void onAbandoned(long ordinal) {
      seen.add(ordinal);
    }

    @Override
    public void onSent(long nowNanos, long ordinal) {
      seen.add(ordinal);
    }

    @Override
    public void onArrived(long ordinal, long sentNanos, long delayNanos) {
      seen.add(ordinal);
    }

    @Override
    public void onLost(long ordinal) {
      seen.add(ordinal);
    }

    @Override
    public void onFeedback(long nowNanos, long roundTripNanos, int inFlight) {}

    @Override
    public void onTimeout(int inARow) {}

    @Override
    public double windowPackets() {
      return of.windowPackets();
    }

    @Override
    public double packetsPerSecond() {
      return of.packetsPerSecond();
    }

    @Override
    public String mode() {
      return of.mode();
    }
  }
}
