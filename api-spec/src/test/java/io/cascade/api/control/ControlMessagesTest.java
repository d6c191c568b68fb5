package io.cascade.api.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ControlMessagesTest {
  private final ControlMessages messages = new ControlMessages(4, 1 << 20);

  @Test
  void aMessageOfAnyLengthArrivesAsItWas() {
    for (int length : new int[] {0, 1, 16_383, 16_384, 16_385, 500_000}) {
      ControlMessage sent = new ControlMessage(length, "PUT /control/v1/x", "ä".repeat(length));

      List<ByteBuffer> frames = sent.frames();

      assertThat(frames)
          .allSatisfy(frame ->
              assertThat(frame.remaining()).isLessThanOrEqualTo(ControlMessages.MOST_FRAME_BYTES));
      for (ByteBuffer frame : frames.subList(0, frames.size() - 1)) {
        assertThat(messages.add(frame)).isNull();
      }
      assertThat(messages.add(frames.getLast())).isEqualTo(sent);
    }
  }

  @Test
  void framesOfSeveralMessagesMayComeInTurns() {
    ControlMessage one = new ControlMessage(1, "200 application/json", "a".repeat(40_000));
    ControlMessage other = new ControlMessage(2, "204", "");
    List<ByteBuffer> frames = one.frames();

    assertThat(messages.add(frames.get(0))).isNull();
    assertThat(messages.add(other.frames().getFirst())).isEqualTo(other);
    assertThat(messages.add(frames.get(1))).isNull();
    assertThat(messages.add(frames.get(2))).isEqualTo(one);
  }

  @Test
  void noMoreIsHeldThanItMay() {
    for (int number = 0; number < 4; number++) {
      messages.add(begin(number));
    }

    assertThatThrownBy(() -> messages.add(begin(4))).hasMessageContaining("more than 4 messages");

    ControlMessages small = new ControlMessages(4, 20_000);
    List<ByteBuffer> frames = new ControlMessage(1, "x", "a".repeat(40_000)).frames();
    small.add(frames.get(0));
    assertThatThrownBy(() -> small.add(frames.get(1))).hasMessageContaining("20000 bytes");
  }

  @Test
  void aMessageThatBeginsTwiceIsRefused() {
    messages.add(begin(1));

    assertThatThrownBy(() -> messages.add(begin(1))).hasMessageContaining("begins twice");
  }

  @Test
  void bytesThatAreNoFrameAreRefusedAndNothingElseHappens() {
    SplittableRandom random = new SplittableRandom(7);
    ByteBuffer frame = begin(1);
    byte[] valid = new byte[frame.remaining()];
    frame.get(valid);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      if (random.nextBoolean() && bytes.length > 0) { // a valid one with a byte that was changed
        bytes = valid.clone();
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        new ControlMessages(4, 1 << 20).add(ByteBuffer.wrap(bytes));
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageMatching("(?s).+");
      }
    }
  }

  @Test
  void aLineIsOneLineAndShort() {
    assertThatThrownBy(() -> new ControlMessage(1, "a\nb", "")).hasMessageContaining("one line");
    assertThatThrownBy(() -> new ControlMessage(1, "a".repeat(1_025), ""))
        .hasMessageContaining("1025");
  }

  private static ByteBuffer begin(long number) {
    return new ArrayList<>(new ControlMessage(number, "GET /x", "a".repeat(17_000)).frames())
        .getFirst();
  }
}
