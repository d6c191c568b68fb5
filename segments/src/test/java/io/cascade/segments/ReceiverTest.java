package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ReceiverTest {
  private static final int CAPACITY = 1 << 16;

  private final Receiver receiver =
      new Receiver(
          new WindowGrowth(new SegmentStream.Settings(CAPACITY, 1, Scheduler.EARLIEST), 0),
          HeapChunks.MEMORY);

  @Test
  void putsInOrderWhatComesOutOfOrder() throws ProtocolViolation {
    receiver.take(data(3, "def"));
    assertThat(receiver.readable()).isNull();
    assertThat(receiver.received()).isZero();
    receiver.take(data(0, "abc"));
    assertThat(receiver.received()).isEqualTo(6);
    assertThat(read()).isEqualTo("abcdef");
  }

  @Test
  void whatComesTwiceIsDeliveredOnce() throws ProtocolViolation {
    receiver.take(data(0, "abc"));
    receiver.take(data(0, "abc"));
    receiver.take(data(1, "bcd"));
    assertThat(read()).isEqualTo("abcd");
    receiver.take(data(2, "cdef"));
    assertThat(read()).isEqualTo("ef");
  }

  @Test
  void otherBytesAtAnOffsetThatCameAreAViolation() throws ProtocolViolation {
    receiver.take(data(4, "ef"));
    violates(Reason.OVERLAP_DIFFERS, () -> receiver.take(data(3, "deX")));
    receiver.take(data(0, "abcd"));
    violates(Reason.OVERLAP_DIFFERS, () -> receiver.take(data(0, "X")));
  }

  @Test
  void dataBeyondTheWindowIsAViolation() throws ProtocolViolation {
    receiver.take(data(CAPACITY - 1, "x"));
    violates(Reason.WINDOW_OVERRUN, () -> receiver.take(data(CAPACITY, "x")));
    violates(Reason.WINDOW_OVERRUN, () -> receiver.takeEnd(end(CAPACITY + 1)));
  }

  @Test
  void theWindowOpensAsItIsRead() throws ProtocolViolation {
    receiver.take(data(0, "abc"));
    assertThat(receiver.limit()).isEqualTo(CAPACITY);
    read();
    assertThat(receiver.limit()).isEqualTo(CAPACITY + 3);
    receiver.take(data(CAPACITY, "xyz"));
  }

  @Test
  void theEndIsReachedOnceAllIsDelivered() throws ProtocolViolation {
    receiver.takeEnd(end(3));
    assertThat(receiver.endReached()).isNull();
    receiver.take(data(0, "abc"));
    assertThat(receiver.isWhole()).isTrue();
    assertThat(receiver.received()).isEqualTo(4);
    assertThat(receiver.endReached()).isNull();
    assertThat(read()).isEqualTo("abc");
    assertThat(receiver.endReached()).isEqualTo(Reason.FINISHED);
  }

  @Test
  void whatContradictsTheEndIsAViolation() throws ProtocolViolation {
    receiver.take(data(5, "f"));
    violates(Reason.END_DIFFERS, () -> receiver.takeEnd(end(5)));
    receiver.takeEnd(end(6));
    receiver.takeEnd(end(6));
    violates(Reason.END_DIFFERS, () -> receiver.takeEnd(end(7)));
    violates(Reason.END_DIFFERS, () -> receiver.takeEnd(new Frame.End(6, Reason.LOCAL_RESET)));
    violates(Reason.END_DIFFERS, () -> receiver.take(data(6, "g")));
  }

  @Test
  void anEmptyDirectionEnds() throws ProtocolViolation {
    receiver.takeEnd(end(0));
    assertThat(receiver.endReached()).isEqualTo(Reason.FINISHED);
  }

  @Test
  void moreGapsThanASenderLeavesAreAViolation() {
    violates(
        Reason.TOO_FRAGMENTED,
        () -> {
          for (int offset = 1; ; offset += 2) {
            receiver.take(data(offset, "x"));
          }
        });
  }

  @Test
  void holdsNoMoreMemoryThanTheWindow() throws ProtocolViolation {
    for (int offset = 0; offset < 20 * CAPACITY; offset += 1_000) {
      receiver.take(data(offset, "x".repeat(1_000)));
      read();
      assertThat(receiver.heldBytes()).isLessThanOrEqualTo(CAPACITY + 2L * ByteWindow.CHUNK_BYTES);
    }
  }

  private String read() {
    StringBuilder text = new StringBuilder();
    for (ByteBuffer next = receiver.readable(); next != null; next = receiver.readable()) {
      int length = next.remaining();
      text.append(StandardCharsets.US_ASCII.decode(next));
      receiver.delivered(length);
    }
    return text.toString();
  }

  private static Frame.Data data(long offset, String text) {
    return new Frame.Data(offset, StandardCharsets.US_ASCII.encode(text));
  }

  private static Frame.End end(long offset) {
    return new Frame.End(offset, Reason.FINISHED);
  }

  private static void violates(Reason reason, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            ProtocolViolation.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
