package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One junction's stream, against a peer that says what it likes. */
class SegmentStreamTest {
  private static final long SECOND = 1_000_000_000;
  private static final int CAPACITY = 1 << 16;

  private long now = 1;
  private final SegmentStream stream =
      new SegmentStream(
          new SegmentStream.Settings(CAPACITY, 10 * SECOND, Scheduler.EARLIEST),
          HeapChunks.MEMORY,
          now);

  private SegmentStream joined(int... pipes) {
    for (int pipe : pipes) {
      stream.join(pipe, SECOND / 10, now);
      stream.received(pipe, new Frame.Acknowledgement(0, CAPACITY, 0), now);
      assertThat(stream.next(pipe, now)).isInstanceOf(Frame.Acknowledgement.class);
    }
    return stream;
  }

  private void offer(int octets) {
    assertThat(stream.offer(ByteBuffer.allocate(octets))).isEqualTo(octets);
  }

  private long sentOn(int pipe) {
    Frame.Data data = (Frame.Data) Objects.requireNonNull(stream.next(pipe, now));
    return data.offset();
  }

  @Test
  void anAcknowledgementForWhatWasNotSentIsAViolation() {
    joined(0);
    offer(10);
    assertThat(sentOn(0)).isZero();
    stream.received(0, new Frame.Acknowledgement(11, CAPACITY, 10), now);
    assertThat(failure()).isEqualTo(Reason.ACKNOWLEDGED_UNSENT);
    assertThat(stream.next(0, now)).isInstanceOf(Frame.Reset.class);
    assertThat(stream.finished(0)).isTrue();
  }

  @Test
  void anAcknowledgementOfAnotherPipesOctetsIsAViolation() {
    joined(0, 1);
    offer(10);
    assertThat(sentOn(0)).isZero();
    stream.received(1, new Frame.Acknowledgement(0, CAPACITY, 10), now);
    assertThat(failure()).isEqualTo(Reason.ACKNOWLEDGED_UNSENT);
  }

  @Test
  void anIntroductionOnAPipeInUseIsAViolation() {
    joined(0);
    stream.received(0, new Frame.Challenge(1, new Octets16(1, 2)), now);
    assertThat(failure()).isEqualTo(Reason.UNEXPECTED_FRAME);
  }

  @Test
  void theWindowOfThePeerIsKept() {
    stream.join(0, SECOND / 10, now);
    assertThat(stream.next(0, now)).isInstanceOf(Frame.Acknowledgement.class);
    offer(10);
    assertThat(stream.next(0, now)).isNull();
    stream.received(0, new Frame.Acknowledgement(0, 4, 0), now);
    Frame.Data data = (Frame.Data) Objects.requireNonNull(stream.next(0, now));
    assertThat(data.bytes().remaining()).isEqualTo(4);
    assertThat(stream.next(0, now)).isNull();
    stream.received(0, new Frame.Acknowledgement(4, 3, 4), now); // never goes back
    assertThat(failure()).isNull();
  }

  @Test
  void whatALostPipeCarriedGoesOverAnotherOneFromWhereThePeerHasIt() {
    joined(0, 1);
    offer(3 * 4_096);
    while (stream.next(0, now) instanceof Frame.Data) {
      // Everything goes over the first pipe.
    }
    stream.received(0, new Frame.Acknowledgement(4_096, CAPACITY, 4_096), now);
    stream.lost(0, now);
    assertThat(stream.next(1, now)).isInstanceOf(Frame.Acknowledgement.class);
    assertThat(sentOn(1)).isEqualTo(4_096);
  }

  @Test
  void aSilentPipeIsSuspectedAndOthersTakeOverAndItMayComeBack() {
    joined(0, 1);
    offer(4_096);
    assertThat(sentOn(0)).isZero();
    now += SECOND;
    stream.onTime(now);
    assertThat(stream.pipeState(0)).isEqualTo(PipeState.SUSPECT);
    assertThat(sentOn(1)).isZero();
    stream.received(0, new Frame.Acknowledgement(4_096, CAPACITY, 4_096), now);
    assertThat(stream.pipeState(0)).isEqualTo(PipeState.ACTIVE);
    stream.received(1, new Frame.Acknowledgement(4_096, CAPACITY, 4_096), now);
    assertThat(failure()).isNull();
  }

  @Test
  void aPipeThatDoesNotAnswerIsAskedAndGivenUp() {
    joined(0);
    now += 4 * SECOND;
    stream.onTime(now);
    assertThat(stream.next(0, now)).isInstanceOf(Frame.Probe.class);
    now += 10 * SECOND;
    stream.onTime(now);
    assertThat(stream.dropped()).extracting(SegmentStream.Dropped::pipe).containsExactly(0);
    assertThat(stream.state()).isEqualTo(StreamState.STRANDED);
  }

  @Test
  void withoutPipesItWaitsAsLongAsItMayAndIsReset() {
    joined(0);
    stream.lost(0, now);
    now += 9 * SECOND;
    stream.onTime(now);
    assertThat(stream.state()).isEqualTo(StreamState.STRANDED);
    stream.join(1, SECOND / 10, now);
    assertThat(stream.state()).isEqualTo(StreamState.OPEN);
    stream.lost(1, now);
    now += 10 * SECOND;
    stream.onTime(now);
    assertThat(failure()).isEqualTo(Reason.STRANDED);
  }

  @Test
  void aStreamThatNeedsNothingOfItsPeerWaitsForItsOwnReaderWithoutPipes() {
    joined(0);
    stream.end(now);
    assertThat(stream.next(0, now)).isInstanceOf(Frame.End.class);
    stream.received(0, new Frame.Data(0, ByteBuffer.allocate(5)), now);
    stream.received(0, new Frame.End(5, Reason.FINISHED), now);
    stream.received(0, new Frame.Acknowledgement(1, CAPACITY, 1), now);
    assertThat(stream.ended(0, now)).isTrue();
    now += 100 * SECOND;
    stream.onTime(now);
    assertThat(stream.state()).isEqualTo(StreamState.OPEN);
    stream.delivered(5, now);
    assertThat(stream.state()).isEqualTo(StreamState.CLOSED);
  }

  @Test
  void aPipeThatThePeerEndsTooEarlyIsLost() {
    joined(0);
    assertThat(stream.ended(0, now)).isFalse();
    assertThat(stream.state()).isEqualTo(StreamState.STRANDED);
  }

  @Test
  void aLocalResetComesBehindWhatPrecededIt() {
    joined(0);
    offer(10);
    stream.localReset(now);
    assertThat(sentOn(0)).isZero();
    assertThat(stream.next(0, now)).isEqualTo(new Frame.End(10, Reason.LOCAL_RESET));
    stream.received(0, new Frame.Acknowledgement(11, CAPACITY, 11), now);
    assertThat(failure()).isEqualTo(Reason.LOCAL_RESET);
  }

  @Test
  void aLocalResetThatThePeerDoesNotAcknowledgeIsTheStreamsEndInSomeSeconds() {
    joined(0);
    offer(10);
    stream.localReset(now);
    now += 5 * SECOND;
    stream.onTime(now);
    assertThat(failure()).isEqualTo(Reason.LOCAL_RESET);
    assertThat(stream.next(0, now)).isInstanceOf(Frame.Reset.class);
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void aResetOfThePeerEndsTheStreamForItsReason(Reason reason) {
    joined(0);
    stream.received(0, new Frame.Reset(reason, "why"), now);
    assertThat(failure()).isEqualTo(reason);
    assertThat(stream.next(0, now)).isNull();
    assertThat(stream.finished(0)).isTrue();
  }

  private @org.jspecify.annotations.Nullable Reason failure() {
    SegmentStream.Failure failure = stream.failure();
    return failure == null ? null : failure.reason();
  }

  @Test
  void aWithdrawnPipeGetsNothingNewAndEndsOnceEverythingOnItHasArrived() {
    joined(0, 1);
    offer(10);
    assertThat(sentOn(0)).isZero();
    assertThat(stream.withdraw(0, now)).isTrue();
    assertThat(stream.next(0, now)).isEqualTo(new Frame.Withdrawal());
    offer(10);
    assertThat(stream.next(0, now)).isNull();
    assertThat(sentOn(1)).isEqualTo(10);
    stream.received(0, new Frame.Acknowledgement(10, CAPACITY, 10), now);
    assertThat(stream.finished(0)).as("before the peer has ended it").isFalse();
    assertThat(stream.ended(0, now)).isTrue();
    assertThat(stream.finished(0)).isTrue();
    stream.left(0, now);
    assertThat(stream.pipesLost()).isZero();
    assertThat(stream.pipeState(0)).isEqualTo(PipeState.GONE);
    assertThat(stream.pipeState(1)).isEqualTo(PipeState.ACTIVE);
  }

  @Test
  void aPipeThatThePeerWithdrawsEndsOnceWhatItCarriesIsAcknowledged() {
    joined(0, 1);
    offer(10);
    assertThat(sentOn(0)).isZero();
    stream.received(0, new Frame.Withdrawal(), now);
    assertThat(stream.finished(0)).isFalse();
    stream.received(0, new Frame.Acknowledgement(10, CAPACITY, 10), now);
    assertThat(stream.finished(0)).isTrue();
  }

  @Test
  void aWithdrawnPipeThatEndsTooEarlyIsLostAndItsOctetsGoOverAnother() {
    joined(0, 1);
    offer(10);
    assertThat(sentOn(0)).isZero();
    assertThat(stream.withdraw(0, now)).isTrue();
    assertThat(stream.ended(0, now)).isFalse();
    assertThat(stream.pipesLost()).isEqualTo(1);
    assertThat(stream.next(1, now)).isInstanceOf(Frame.Acknowledgement.class);
    assertThat(sentOn(1)).isZero();
  }

  @Test
  void theLastPipeThatCarriesIsNotWithdrawn() {
    joined(0);
    assertThat(stream.withdraw(0, now)).isFalse();
    assertThat(stream.withdraw(7, now)).isFalse();
  }
}
