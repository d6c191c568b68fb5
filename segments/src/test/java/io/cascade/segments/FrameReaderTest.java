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
  void everyOctetComesOutOnceInItsPlaceHoweverFramesAreCut() throws ProtocolViolation {
    SplittableRandom random = new SplittableRandom(7);
    for (int most : new int[] {1, 3, 20, 5_000, 200_000}) {
      FrameReader each = new FrameReader();
      List<Frame> frames = frames(random);
      List<String> expected = octets(frames);
      List<Frame> got = new ArrayList<>();
      ByteBuffer stream = encoded(frames);
      while (stream.hasRemaining()) {
        int length = Math.min(stream.remaining(), 1 + random.nextInt(most));
        each.read(stream.slice(stream.position(), length), got::add);
        stream.position(stream.position() + length);
      }
      assertThat(octets(got)).isEqualTo(expected);
      assertThat(each.heldBytes()).isZero();
    }
  }

  @Test
  void dataThatIsCutComesOutAtOnceAndNothingOfItIsKept() throws ProtocolViolation {
    ByteBuffer frame = encoded(List.of(new Frame.Data(500, ByteBuffer.allocate(1_000))));
    reader.read(frame.slice(0, 3), frames -> read.add(words(frames)));
    assertThat(reader.heldBytes()).isEqualTo(FrameCodec.HEADER);
    reader.read(frame.slice(3, 100), frames -> read.add(words(frames)));
    assertThat(read).singleElement().asString().startsWith("500:91:");
    assertThat(reader.heldBytes()).isZero();
    reader.read(frame.slice(103, 909), frames -> read.add(words(frames)));
    assertThat(read.getLast()).startsWith("591:909:");
  }

  @Test
  void aControlFrameThatIsCutIsKeptUntilItIsWhole() throws ProtocolViolation {
    ByteBuffer frame = FrameCodec.head(new Frame.Acknowledgement(1, 2, 3));
    reader.read(frame.slice(0, 10), frames -> read.add(words(frames)));
    assertThat(reader.heldBytes()).isEqualTo(frame.remaining());
    assertThat(read).isEmpty();
    reader.read(frame.slice(10, frame.remaining() - 10), frames -> read.add(words(frames)));
    assertThat(read).hasSize(1);
    assertThat(reader.heldBytes()).isZero();
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

  /** Every octet with its offset, and the other frames, in order. */
  private static List<String> octets(List<Frame> frames) {
    List<String> all = new ArrayList<>();
    for (Frame frame : frames) {
      if (frame instanceof Frame.Data(long offset, ByteBuffer bytes)) {
        for (int i = 0; i < bytes.remaining(); i++) {
          all.add(offset + i + ":" + bytes.get(bytes.position() + i));
        }
      } else {
        all.add(frame.toString());
      }
    }
    return all;
  }

  private static String words(Frame frame) {
    return frame instanceof Frame.Data(long offset, ByteBuffer bytes)
        ? offset + ":" + bytes.remaining() + ":" + bytes.duplicate().hashCode()
        : frame.toString();
  }
}
