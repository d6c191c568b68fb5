package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Frames that come in pieces of any length. */
class FrameReaderTest {
  private final FrameReader reader = new FrameReader();
  private final List<String> read = new ArrayList<>();

  @Test
  void framesComeOutWholeHoweverTheyAreCut() throws ProtocolViolation {
    SplittableRandom random = new SplittableRandom(7);
    for (int most : new int[] {1, 3, 20, 5_000, 200_000}) {
      FrameReader each = new FrameReader();
      List<Frame> frames = frames(random);
      List<String> expected = frames.stream().map(FrameReaderTest::words).toList();
      List<String> got = new ArrayList<>();
      ByteBuffer stream = encoded(frames);
      while (stream.hasRemaining()) {
        int length = Math.min(stream.remaining(), 1 + random.nextInt(most));
        each.read(stream.slice(stream.position(), length), frame -> got.add(words(frame)));
        stream.position(stream.position() + length);
      }
      assertThat(got).isEqualTo(expected);
      assertThat(each.heldBytes()).isZero();
    }
  }

  @Test
  void noMoreIsHeldThanTheFrameThatIsCut() throws ProtocolViolation {
    ByteBuffer frame = encoded(List.of(new Frame.Data(0, ByteBuffer.allocate(1_000))));
    reader.read(frame.slice(0, 3), _ -> {});
    assertThat(reader.heldBytes()).isEqualTo(FrameCodec.HEADER);
    reader.read(frame.slice(3, 100), _ -> {});
    assertThat(reader.heldBytes()).isEqualTo(frame.remaining());
  }

  @Test
  void aLengthThatNoFrameHasIsRefusedAsSoonAsItIsThere() throws ProtocolViolation {
    reader.read(ByteBuffer.wrap(new byte[] {5, 127, 127}), frame -> read.add(words(frame)));
    assertThatThrownBy(() -> reader.read(ByteBuffer.wrap(new byte[] {127}), _ -> {}))
        .isInstanceOf(ProtocolViolation.class);
    assertThat(read).isEmpty();
  }

  @Test
  void thePipeStartIsReadAsItWasWritten() throws ProtocolViolation {
    for (int flags = 0; flags < 4; flags++) {
      Frame start = new Frame.PipeStart(Frame.VERSION, (flags & 1) != 0, (flags & 2) != 0, 77);
      List<Frame> got = new ArrayList<>();
      new FrameReader().read(FrameCodec.head(start), got::add);
      assertThat(got).containsExactly(start);
    }
  }

  private static List<Frame> frames(SplittableRandom random) {
    List<Frame> frames = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      byte[] bytes = new byte[1 + random.nextInt(i % 10 == 0 ? FrameCodec.MOST_DATA : 300)];
      random.nextBytes(bytes);
      frames.add(new Frame.Data(random.nextInt(1 << 20), ByteBuffer.wrap(bytes)));
      frames.add(new Frame.Acknowledgement(i, i + 1, i + 2));
    }
    return frames;
  }

  private static ByteBuffer encoded(List<Frame> frames) {
    ByteBuffer all = ByteBuffer.allocate(4 << 20);
    for (Frame frame : frames) {
      all.put(FrameCodec.head(frame));
      if (frame instanceof Frame.Data data) {
        all.put(data.bytes().duplicate());
      }
    }
    return all.flip();
  }

  private static String words(Frame frame) {
    return frame instanceof Frame.Data(long offset, ByteBuffer bytes)
        ? offset + ":" + bytes.remaining() + ":" + bytes.duplicate().hashCode()
        : frame.toString();
  }
}
