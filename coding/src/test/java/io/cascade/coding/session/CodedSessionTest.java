package io.cascade.coding.session;

import static io.cascade.coding.session.Pair.MILLI;
import static io.cascade.coding.session.Pair.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.coding.control.FixedRate;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.window.GapSet;
import io.cascade.coding.wire.AckFrame;
import io.cascade.coding.wire.ArrivalMap;
import io.cascade.coding.wire.Frame;
import io.cascade.coding.wire.Malformed;
import io.cascade.coding.wire.PacketHeader;
import io.cascade.coding.wire.PacketType;
import io.cascade.coding.wire.RepairHeader;
import io.cascade.coding.wire.Varint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CodedSessionTest {
  private final Pair pair = new Pair();

  @Test
  void carriesBytesOneWayAndEndsCleanly() {
    assertThat(pair.near.offer(ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(5);
    pair.near.end();
    pair.runUntil(SECOND);

    ByteBuffer into = ByteBuffer.allocate(100);
    pair.far.read(into, pair.now);
    assertThat(StandardCharsets.UTF_8.decode(into.flip()).toString()).isEqualTo("hello");
    assertThat(pair.far.receiving()).isEqualTo(ReceivingState.ENDED);
    assertThat(pair.near.sending()).isEqualTo(SendingState.FINISHED);
    assertThat(pair.near.state()).isEqualTo(SessionState.ESTABLISHED);
  }

  @Test
  void oneDirectionMayGoOnAfterTheOtherHasEnded() {
    pair.near.end();
    pair.runUntil(SECOND);
    assertThat(pair.read(pair.far)).isZero();
    assertThat(pair.far.receiving()).isEqualTo(ReceivingState.ENDED);

    pair.far.offer(Pair.bytes(1_000));
    pair.far.end();
    pair.runUntil(2 * SECOND);
    assertThat(pair.read(pair.near)).isEqualTo(1_000);
    pair.runUntil(10 * SECOND);

    assertThat(pair.near.state()).isEqualTo(SessionState.CLOSED);
    assertThat(pair.far.state()).isEqualTo(SessionState.CLOSED);
    assertThat(pair.near.reason()).isEqualTo(CloseReason.COMPLETED);
    assertThat(pair.far.nextNanos()).isEqualTo(CodedSession.NEVER);
  }

  @Test
  void aPeerThatMissedTheLastAcknowledgementIsAnsweredStill() {
    pair.near.end();
    pair.far.end();
    // The near end's last words are lost for a while.
    List<byte[]> lost = new ArrayList<>();
    pair.path =
        datagram -> {
          boolean isAck = ((datagram[0] >> 2) & 7) == 3;
          if (isAck && lost.size() < 4) {
            lost.add(datagram);
            return null;
          }
          return datagram;
        };
    pair.runUntil(SECOND / 10);
    pair.read(pair.near);
    pair.read(pair.far);
    pair.runUntil(20 * SECOND);

    assertThat(pair.near.reason()).isEqualTo(CloseReason.COMPLETED);
    assertThat(pair.far.reason()).isEqualTo(CloseReason.COMPLETED);
    assertThat(pair.far.state()).isEqualTo(SessionState.CLOSED);
  }

  /**
   * All symbols have arrived, and the repairs that fill the window are lost: no acknowledgment
   * comes that would free their places.
   */
  @Test
  void lostRepairsDoNotHoldUpWhatComesAfterThem() {
    Pair small = new Pair(5 * SECOND, Pair.CONTENT, Pair.WINDOW, 10_000, 2);
    boolean[] asked = new boolean[1];
    small.path =
        datagram -> {
          boolean isControl = ((datagram[0] >> 2) & 7) == 3;
          boolean isOfNear = datagram[4] == 2;
          if (isOfNear && isControl) {
            asked[0] = true; // After two time-outs.
          }
          boolean isFirst = isOfNear && small.now < 5 * MILLI;
          return isFirst || (isControl && asked[0]) ? datagram : null;
        };
    small.near.offer(Pair.bytes(2 * (Pair.CONTENT - 1)));
    small.runUntil(SECOND);
    assertThat(small.near.isOutstanding()).isFalse();
    assertThat(small.near.account().inFlight()).isGreaterThanOrEqualTo(2);

    small.path = datagram -> datagram;
    small.near.offer(Pair.bytes(1_000));
    small.runUntil(3 * SECOND);

    assertThat(small.read(small.far)).isEqualTo(2 * (Pair.CONTENT - 1) + 1_000);
  }

  @Test
  void aReaderThatDoesNotReadHoldsTheSenderToItsCredit() {
    int taken = 0;
    for (int i = 0; i < 100; i++) {
      taken += pair.near.offer(Pair.bytes(10_000));
      pair.runUntil(pair.now + 20 * MILLI);
    }
    int credit = (Pair.WINDOW - SendingSymbols.KEPT_BEHIND) * (Pair.CONTENT - 1);
    assertThat(pair.near.account().sourcesSent())
        .isEqualTo(Pair.WINDOW - SendingSymbols.KEPT_BEHIND);
    assertThat(taken).isLessThanOrEqualTo(2 * credit);
    assertThat(pair.near.hasRoom()).isFalse();

    // For a minute the session stays, then everything comes at once.
    pair.runUntil(pair.now + 60 * SECOND);
    assertThat(pair.near.state()).isEqualTo(SessionState.ESTABLISHED);
    int read = 0;
    for (int i = 0; i < 20; i++) {
      read += pair.read(pair.far);
      pair.runUntil(pair.now + 100 * MILLI);
    }
    assertThat(read).isEqualTo(taken);
  }

  @Test
  void creditThatWasLostOnTheWayIsAskedForAgain() {
    pair.near.offer(Pair.bytes(30_000));
    pair.runUntil(SECOND);
    pair.near.offer(Pair.bytes(30_000));
    pair.path = _ -> null;
    int read = pair.read(pair.far);
    pair.runUntil(pair.now + SECOND);
    pair.path = datagram -> datagram;
    for (int i = 0; i < 100; i++) {
      pair.runUntil(pair.now + 100 * MILLI);
      read += pair.read(pair.far);
    }
    assertThat(pair.near.sending()).isEqualTo(SendingState.OPEN);
    assertThat(read).isGreaterThan(12_000);
    assertThat(pair.near.account().sourcesSent())
        .isGreaterThan(Pair.WINDOW - SendingSymbols.KEPT_BEHIND);
  }

  @Test
  void aResetReachesThePeerAndIsNeverACleanEnd() {
    pair.near.offer(Pair.bytes(5_000));
    pair.runUntil(15 * MILLI);
    pair.near.reset(42, pair.now);
    pair.runUntil(SECOND);

    assertThat(pair.far.receiving()).isEqualTo(ReceivingState.RESET);
    assertThat(pair.far.sending()).isEqualTo(SendingState.RESET);
    assertThat(pair.far.reason()).isEqualTo(CloseReason.RESET_BY_PEER);
    assertThat(pair.far.resetCode()).isEqualTo(42);
    assertThat(pair.read(pair.far)).isZero();
    assertThat(pair.near.reason()).isEqualTo(CloseReason.RESET_BY_US);
    pair.runUntil(10 * SECOND);
    assertThat(pair.near.state()).isEqualTo(SessionState.CLOSED);
    assertThat(pair.far.state()).isEqualTo(SessionState.CLOSED);
  }

  @Test
  void aResetIsRepeatedWhileItIsLostButNotForEver() {
    pair.runUntil(MILLI);
    int[] datagrams = {0};
    pair.path =
        _ -> {
          datagrams[0]++;
          return null;
        };
    pair.near.reset(1, pair.now);
    pair.runUntil(60 * SECOND);

    assertThat(datagrams[0]).isEqualTo(8);
    assertThat(pair.near.state()).isEqualTo(SessionState.CLOSED);
  }

  @Test
  void silenceWithSomethingOutstandingEndsTheSessionAsAFailure() {
    pair.runUntil(MILLI);
    pair.path = _ -> null;
    pair.near.offer(Pair.bytes(100));
    pair.runUntil(60 * SECOND);

    assertThat(pair.near.state()).isEqualTo(SessionState.CLOSED);
    assertThat(pair.near.reason()).isEqualTo(CloseReason.SILENCE);
    assertThat(pair.near.sending()).isEqualTo(SendingState.RESET);
  }

  @Test
  void anIdleSessionSendsNothingAndLasts() {
    pair.near.offer(Pair.bytes(100));
    pair.runUntil(SECOND);
    pair.read(pair.far);
    pair.runUntil(2 * SECOND);
    int[] datagrams = {0};
    pair.path =
        datagram -> {
          datagrams[0]++;
          return datagram;
        };
    pair.runUntil(3_600 * SECOND);

    assertThat(datagrams[0]).isZero();
    assertThat(pair.near.state()).isEqualTo(SessionState.ESTABLISHED);
  }

  /**
   * The far end's microseconds wrap in the middle; before and after, the clocks differ by hours.
   */
  @Test
  void clocksNeedNotAgreeAndMayWrap() {
    Pair apart = new Pair();
    apart.farOffset = (1L << 32) * 1_000 - 30 * MILLI;
    int read = 0;
    int offered = 0;
    for (int i = 0; i < 20; i++) {
      offered += apart.near.offer(Pair.bytes(5_000));
      apart.runUntil(apart.now + 20 * MILLI);
      read += apart.read(apart.far);
    }
    apart.runUntil(apart.now + SECOND);
    read += apart.read(apart.far);
    assertThat(read).isEqualTo(offered).isGreaterThan(10_000);
    assertThat(apart.near.account().roundTripNanos()).isBetween(18 * MILLI, 30 * MILLI);
    assertThat(apart.near.account().lossRate()).isZero();
  }

  @Test
  void everyDatagramThreeTimesIsTakenOnce() {
    Pair tripled = new Pair();
    tripled.near.offer(Pair.bytes(10_000));
    tripled.path =
        datagram -> {
          tripled.far.onDatagram(ByteBuffer.wrap(datagram), tripled.now);
          tripled.far.onDatagram(ByteBuffer.wrap(datagram), tripled.now);
          tripled.near.onDatagram(ByteBuffer.wrap(datagram), tripled.now);
          return datagram;
        };
    tripled.runUntil(5 * SECOND);
    assertThat(tripled.read(tripled.far)).isEqualTo(10_000);
    assertThat(tripled.near.state()).isEqualTo(SessionState.ESTABLISHED);
  }

  @Test
  void whoAcknowledgesWhatWasNeverSentIsRefused() {
    pair.near.offer(Pair.bytes(10_000));
    pair.runUntil(50 * MILLI);
    ByteBuffer forged = ByteBuffer.allocate(200);
    new PacketHeader(PacketType.CONTROL, 1, 5_000).write(forged, 4_000);
    new Frame.Ack(
            new AckFrame(
                1_000, 1_000_000, 0, 0, 0, 0, 0, new ArrivalMap(new byte[8]), GapSet.EMPTY))
        .write(forged);
    pair.near.onDatagram(forged.flip(), pair.now);

    assertThat(pair.near.reason()).isEqualTo(CloseReason.MISBEHAVED);
    assertThat(pair.near.state()).isEqualTo(SessionState.RESETTING);
  }

  /** An acknowledgement of everything meets a number that was left out. */
  @Test
  void optimisticAcknowledgementsAreDetected() {
    pair.path =
        datagram -> {
          int frame = 5 + (datagram[0] & 3) + 1;
          boolean isAck = ((datagram[0] >> 2) & 7) == 3 && datagram[frame] == AckFrame.TYPE;
          if (!isAck) {
            return datagram;
          }
          ByteBuffer lying = ByteBuffer.wrap(datagram.clone());
          // The bitmap follows the fixed fields and four varints; here all of its bits are set.
          try {
            PacketHeader.read(lying, 0);
            lying.get();
            lying.getInt();
            Varint.read(lying);
            lying.getInt();
            for (int i = 0; i < 4; i++) {
              Varint.read(lying);
            }
            int bytes = lying.get();
            for (int i = 0; i < bytes; i++) {
              lying.put((byte) 0xff);
            }
          } catch (Malformed e) {
            throw new AssertionError(e);
          }
          return lying.array();
        };
    for (int i = 0; i < 400 && pair.near.reason() == CloseReason.NONE; i++) {
      pair.near.offer(Pair.bytes(10_000));
      pair.runUntil(pair.now + 20 * MILLI);
      pair.read(pair.far);
    }
    assertThat(pair.near.reason()).isEqualTo(CloseReason.MISBEHAVED);
  }

  /** A count that the format allows and no sender uses; the window would hold as many. */
  @Test
  void aRepairOverTooManySymbolsIsDropped() {
    SessionSettings settings = new SessionSettings(1, 2, 50, 8_192, SECOND, 1);
    CodedSession session =
        new CodedSession(settings, new FixedRate(1, 1), new SlidingDeficit(0), 0);
    ByteBuffer datagram = ByteBuffer.allocate(200);
    new PacketHeader(PacketType.SLIDING, 1, 0).write(datagram, -1);
    new RepairHeader(RepairHeader.NO_GAPS, 1, 15, 4_095, 0).write(datagram);
    datagram.put(new byte[52]);

    session.onDatagram(datagram.flip(), 0);

    assertThat(session.account().forgottenRepairs()).isEqualTo(1);
  }

  /** A delay so long that it overflows says nothing about the round trip. */
  @Test
  void delaysThatNobodyCanHaveAreNotBelieved() {
    pair.near.offer(Pair.bytes(1_000));
    pair.runUntil(50 * MILLI);
    long before = pair.near.account().roundTripNanos();
    pair.near.offer(Pair.bytes(40));
    pair.path = datagram -> null;
    pair.runUntil(60 * MILLI);
    ByteBuffer forged = ByteBuffer.allocate(200);
    new PacketHeader(PacketType.CONTROL, 1, 5_000).write(forged, 4_000);
    new Frame.Ack(
            new AckFrame(
                1_000,
                pair.near.account().sourcesSent() + pair.near.account().repairsSent() - 1,
                0,
                1L << 54,
                0,
                0,
                0,
                new ArrivalMap(new byte[8]),
                GapSet.EMPTY))
        .write(forged);
    pair.near.onDatagram(forged.flip(), pair.now);

    assertThat(pair.near.account().roundTripNanos()).isBetween(before / 2, 2 * before);
  }

  @Test
  void aDatagramForAnotherSessionIsIgnored() {
    ByteBuffer other = ByteBuffer.allocate(100);
    new PacketHeader(PacketType.CONTROL, 99, 0).write(other, -1);
    new Frame.Reset(1).write(other);
    pair.near.onDatagram(other.flip(), 0);
    assertThat(pair.near.state()).isEqualTo(SessionState.ESTABLISHED);
  }

  /** Flipped, cut, lengthened and made-up datagrams beside the real ones: no exception, no harm. */
  @Test
  void fuzzedDatagramsDoNoHarm() {
    SplittableRandom random = new SplittableRandom(11);
    for (int run = 0; run < 40; run++) {
      Pair fuzzed = new Pair();
      fuzzed.path =
          datagram -> {
            for (int i = 0; i < 10; i++) {
              CodedSession to = random.nextBoolean() ? fuzzed.far : fuzzed.near;
              to.onDatagram(ByteBuffer.wrap(mutated(datagram, random)), fuzzed.now);
            }
            return datagram;
          };
      for (int i = 0; i < 10; i++) {
        fuzzed.near.offer(Pair.bytes(5_000));
        fuzzed.far.offer(Pair.bytes(5_000));
        fuzzed.runUntil(fuzzed.now + 20 * MILLI);
        fuzzed.read(fuzzed.far);
        fuzzed.read(fuzzed.near);
      }
      assertThat(fuzzed.near.account().inFlight()).isBetween(0, PacketLedger.CAPACITY);
    }
  }

  private static byte[] mutated(byte[] datagram, SplittableRandom random) {
    byte[] bytes =
        Arrays.copyOf(
            datagram,
            random.nextInt(4) == 0 ? random.nextInt(datagram.length + 20) : datagram.length);
    int flips = random.nextInt(1, 4);
    for (int i = 0; i < flips && bytes.length > 0; i++) {
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
    }
    if (random.nextInt(8) == 0) {
      random.nextBytes(bytes);
      if (bytes.length > 5) {
        bytes[0] = (byte) (0x40 | (bytes[0] & 0x1f));
        bytes[1] = 0;
        bytes[2] = 0;
        bytes[3] = 0;
        bytes[4] = (byte) random.nextInt(1, 3);
      }
    }
    return bytes;
  }
}
