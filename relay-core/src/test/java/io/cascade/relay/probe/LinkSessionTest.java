package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.relay.admission.KnownPeers;
import io.cascade.relay.probe.LinkSession.Totals;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkSessionTest {
  private static final InetSocketAddress PEER = new InetSocketAddress("192.0.2.1", 7411);
  private static final long MILLI = 1_000_000L;
  private static final long INTERVAL = 100 * MILLI;
  private static final long RTT = 40 * MILLI;
  private static final long TIMEOUT = 2_000 * MILLI;

  private final LinkSession session = new LinkSession("b", PEER, (short) 77, 0);
  private StampReflector reflector = new StampReflector(new KnownPeers());
  private long now = 1_000 * MILLI;

  @Test
  void countsAnAnsweredProbeAtOnce() {
    exchange();
    assertThat(session.totals()).isEqualTo(new Totals(1, 0, 0, 0));
  }

  @Test
  void takesTheReflectorsDwellOffTheRoundTripTime() {
    StampPacket.Test test = session.send(now, stamp(now));
    StampPacket.Reflected answer = reflect(test, now + 10 * MILLI, now + 25 * MILLI);
    session.answered(answer, now + 35 * MILLI);
    assertThat(link().minRttMillis()).isEqualTo(20.0);
  }

  @Test
  void ignoresADwellLongerThanTheWholeTrip() {
    StampPacket.Test test = session.send(now, stamp(now));
    session.answered(reflect(test, now, now + 9_000 * MILLI), now + 35 * MILLI);
    assertThat(link().minRttMillis()).isEqualTo(35.0);
  }

  @Test
  void tellsALostProbeFromALostAnswer() {
    exchange();
    loseThere();
    loseBack();
    loseBack();
    exchange();
    later(TIMEOUT);
    assertThat(session.totals()).isEqualTo(new Totals(2, 1, 2, 1));
  }

  @Test
  void tellsWhichWayTheVeryFirstProbesWereLost() {
    loseThere();
    loseThere();
    loseBack();
    exchange();
    later(TIMEOUT);
    assertThat(session.totals()).isEqualTo(new Totals(1, 2, 1, 1));
  }

  @Test
  void declaresNoLossBeforeTwoSeconds() {
    exchange();
    loseThere();
    exchange();
    later(TIMEOUT - 2 * INTERVAL - RTT);
    assertThat(session.totals().lostThere()).isZero();
    later(2 * INTERVAL + RTT);
    assertThat(session.totals()).isEqualTo(new Totals(2, 1, 0, 1));
  }

  @Test
  void waitsFourRoundTripsOnALongPath() {
    StampPacket.Test test = session.send(now, stamp(now));
    session.answered(reflect(test, now, now), now + 900 * MILLI);
    assertThat(session.timeoutNanos()).isEqualTo(3_600 * MILLI);
  }

  @Test
  void countsAnOutageAsLostOnTheWayThereWhenNoAnswerTellsOtherwise() {
    exchange();
    for (int i = 0; i < 10; i++) {
      loseThere();
    }
    later(TIMEOUT);
    assertThat(session.totals()).as("still undecided").isEqualTo(new Totals(1, 0, 0, 0));
    later(TIMEOUT);
    assertThat(session.totals()).isEqualTo(new Totals(1, 10, 0, 1));
  }

  @Test
  void countsABurstAsOneLossEventAndAnOutageAsMany() {
    exchange();
    for (int i = 0; i < LinkSession.LONGEST_BURST; i++) {
      loseThere();
    }
    exchange();
    for (int i = 0; i <= LinkSession.LONGEST_BURST; i++) {
      loseThere();
    }
    exchange();
    later(TIMEOUT);

    assertThat(session.totals().lostThere()).isEqualTo(2 * LinkSession.LONGEST_BURST + 1);
    assertThat(link().lossEvents()).isEqualTo(1 + LinkSession.LONGEST_BURST + 1);
  }

  @Test
  void countsALateAnswerAsLostOnTheWayBack() {
    exchange();
    StampPacket.Test slow = session.send(now, stamp(now));
    StampPacket.Reflected late = reflect(slow, now, now);
    later(TIMEOUT);
    assertThat(session.answered(late, now)).isFalse();
    exchange();
    later(TIMEOUT);
    assertThat(session.totals()).isEqualTo(new Totals(2, 0, 1, 0));
  }

  @Test
  void countsADoubledAnswerOnce() {
    StampPacket.Test test = session.send(now, stamp(now));
    StampPacket.Reflected answer = reflect(test, now, now);
    assertThat(session.answered(answer, now + RTT)).isTrue();
    assertThat(session.answered(answer, now + RTT)).isFalse();
    assertThat(session.totals()).isEqualTo(new Totals(1, 0, 0, 0));
  }

  @Test
  void doesNotTakeADoubledProbesSecondAnswerForALostOne() {
    StampPacket.Test test = session.send(now, stamp(now));
    session.answered(reflect(test, now, now), now + RTT);
    session.answered(reflect(test, now, now), now + RTT);
    loseThere();
    exchange();
    later(TIMEOUT);
    assertThat(session.totals()).isEqualTo(new Totals(2, 1, 0, 1));
  }

  @Test
  void bearsReorderedProbesAndAnswers() {
    List<StampPacket.Test> tests = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      tests.add(session.send(now, stamp(now)));
    }
    List<StampPacket.Reflected> answers = new ArrayList<>();
    for (int arriving : new int[] {0, 2, 1, 3}) {
      answers.add(reflect(tests.get(arriving), now, now));
    }
    for (int arriving : new int[] {3, 1, 0, 2}) {
      assertThat(session.answered(answers.get(arriving), now + RTT)).isTrue();
    }
    assertThat(session.totals()).isEqualTo(new Totals(4, 0, 0, 0));
  }

  @Test
  void seesThatTheReflectorStartedAnew() {
    for (int i = 0; i < 20; i++) {
      exchange();
    }
    reflector = new StampReflector(new KnownPeers());
    loseThere();
    loseBack();
    exchange();
    later(TIMEOUT);
    exchange();
    assertThat(session.totals()).isEqualTo(new Totals(22, 1, 1, 1));
  }

  @Test
  void ignoresAnswersToProbesThatWereNeverSent() {
    exchange();
    assertThat(session.answered(forged(-1, 5), now)).isFalse();
    assertThat(session.answered(forged(1, 5), now)).isFalse();
    assertThat(session.answered(forged(99_999, 5), now)).isFalse();
    assertThat(session.answered(forged(Integer.MIN_VALUE, 5), now)).isFalse();
  }

  @Test
  void ignoresAnswersThatDoNotKnowTheProbesTimestamp() {
    session.send(now, stamp(now));
    assertThat(session.answered(forged(0, stamp(now) + 1), now)).isFalse();
    assertThat(session.totals().received()).isZero();
  }

  @Test
  void givesUpTheEldestProbeWhenTooManyAreOpen() {
    for (int i = 0; i < 3 * SequenceWindow.SIZE; i++) {
      session.send(now, stamp(now));
    }
    later(TIMEOUT);
    later(TIMEOUT);
    assertThat(session.totals())
        .isEqualTo(new Totals(0, 3 * SequenceWindow.SIZE, 0, 3 * SequenceWindow.SIZE));
  }

  @Test
  void reportsAgainWhatWasNotDelivered() {
    exchange();
    assertThat(link().received()).isEqualTo(1);
    exchange();
    assertThat(link().received()).isEqualTo(2);
    Totals reported = session.totals();
    exchange();
    session.delivered(reported);
    assertThat(link().received()).isEqualTo(1);
    session.delivered(session.totals());
    assertThat(session.undelivered()).isNull();
  }

  @Test
  void countsADeliveryOnceHoweverOftenItIsConfirmed() {
    exchange();
    Totals first = session.totals();
    exchange();
    link();
    session.delivered(session.totals());
    session.delivered(first);
    assertThat(session.undelivered()).isNull();
  }

  @Test
  void reportsTheSmallestRoundTripSinceTheLastDelivery() {
    session.answered(reflect(session.send(now, stamp(now)), now, now), now + 10 * MILLI);
    assertThat(link().minRttMillis()).isEqualTo(10.0);
    session.answered(reflect(session.send(now, stamp(now)), now, now), now + 30 * MILLI);
    assertThat(link().minRttMillis()).as("not delivered yet").isEqualTo(10.0);
    session.delivered(session.totals());
    session.answered(reflect(session.send(now, stamp(now)), now, now), now + 20 * MILLI);
    assertThat(link().minRttMillis()).isEqualTo(20.0);
  }

  @Test
  void saysNothingOfRoundTripsInAnOutage() {
    exchange();
    link();
    session.delivered(session.totals());
    loseThere();
    later(TIMEOUT);
    later(TIMEOUT);
    LinkMeasurement outage = link();
    assertThat(outage.lost()).isEqualTo(1);
    assertThat(outage.sent()).isEqualTo(1);
    assertThat(outage.minRttMillis()).isNull();
    assertThat(outage.smoothedRttMillis()).isNull();
  }

  /** Both losses are exact on a path that keeps the order. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void countsLossExactlyInBothDirections(long seed) {
    Random random = new Random(seed);
    long there = 0;
    long back = 0;
    long received = 0;
    for (int i = 0; i < 5_000; i++) {
      double drawn = random.nextDouble();
      if (drawn < 0.10) {
        loseThere();
        there++;
      } else if (drawn < 0.15) {
        loseBack();
        back++;
      } else {
        exchange();
        received++;
      }
      session.expire(now);
    }
    exchange();
    later(TIMEOUT);
    Totals totals = session.totals();
    assertThat(totals.received()).isEqualTo(received + 1);
    assertThat(totals.lostThere()).isEqualTo(there);
    assertThat(totals.lostBack()).isEqualTo(back);
  }

  /** Whatever the network does, every probe gets one fate, and answers in time are never lost. */
  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
  void settlesEveryProbeOnceOnAPathThatReordersDoublesAndRestarts(long seed) {
    Random random = new Random(seed);
    record Arrival(long at, StampPacket.Reflected answer) {}
    PriorityQueue<Arrival> arrivals = new PriorityQueue<>(Comparator.comparingLong(Arrival::at));
    record Waiting(long at, StampPacket.Test test) {}
    PriorityQueue<Waiting> there = new PriorityQueue<>(Comparator.comparingLong(Waiting::at));
    long taken = 0;
    int probes = 3_000;
    for (int step = 0; step < probes + 100; step++) {
      now += INTERVAL / 2;
      if (step < probes) {
        StampPacket.Test test = session.send(now, stamp(now));
        for (int copies = random.nextInt(20) == 0 ? 2 : 1; copies > 0; copies--) {
          if (random.nextInt(10) > 0) {
            there.add(new Waiting(now + random.nextLong(200 * MILLI), test));
          }
        }
      }
      if (random.nextInt(500) == 0) {
        reflector = new StampReflector(new KnownPeers());
      }
      while (!there.isEmpty() && there.peek().at <= now) {
        Waiting waiting = there.remove();
        StampPacket.Reflected answer = reflect(waiting.test, waiting.at, waiting.at);
        if (random.nextInt(10) > 0) {
          boolean stuck = random.nextInt(50) == 0;
          arrivals.add(new Arrival(now + random.nextLong(stuck ? 4 * TIMEOUT : RTT), answer));
        }
      }
      while (!arrivals.isEmpty() && arrivals.peek().at <= now) {
        taken += session.answered(arrivals.remove().answer, now) ? 1 : 0;
      }
      session.expire(now);
      assertThat(session.totals().settled()).isLessThanOrEqualTo(Math.min(step + 1, probes));
    }
    later(2 * TIMEOUT);
    later(2 * TIMEOUT);
    assertThat(session.totals().settled()).isEqualTo(probes);
    assertThat(session.totals().received()).isEqualTo(taken);
  }

  private void exchange() {
    StampPacket.Test test = session.send(now, stamp(now));
    StampPacket.Reflected answer = reflect(test, now + RTT / 2, now + RTT / 2);
    assertThat(session.answered(answer, now + RTT)).isTrue();
    now += INTERVAL;
  }

  private void loseThere() {
    session.send(now, stamp(now));
    now += INTERVAL;
  }

  private void loseBack() {
    reflect(session.send(now, stamp(now)), now, now);
    now += INTERVAL;
  }

  private void later(long nanos) {
    now += nanos;
    session.expire(now);
  }

  private LinkMeasurement link() {
    return Objects.requireNonNull(session.undelivered());
  }

  private StampPacket.Reflected reflect(StampPacket.Test test, long receivedNanos, long sentNanos) {
    return Objects.requireNonNull(
        reflector.answer(PEER, test, stamp(receivedNanos), stamp(sentNanos), receivedNanos));
  }

  private static StampPacket.Reflected forged(int sequence, long timestamp) {
    return new StampPacket.Reflected(
        50, 1, (short) 1, (short) 77, 1, sequence, timestamp, (short) 1);
  }

  /** The manual clock's time in NTP's format. */
  private static long stamp(long nanos) {
    return NtpTimestamp.of(java.time.Instant.ofEpochSecond(0, nanos));
  }
}
