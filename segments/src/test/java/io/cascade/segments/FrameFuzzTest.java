package io.cascade.segments;

import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Frames of a pipe, as they come in pieces, and a stream that takes them. The first byte of an
 * input is the length of the pieces.
 */
class FrameFuzzTest extends FuzzTest {
  private static final int CAPACITY = 1 << 16;

  /** What a stream holds, and what is offered to it with each frame. */
  @Override
  protected long mostBytes() {
    return 8 << 20;
  }

  @Override
  protected Stream<byte[]> seeds() {
    Octets16 octets = Octets16.read(ByteBuffer.allocate(Octets16.BYTES));
    return Stream.of(
            new Frame.Challenge(2, octets),
            new Frame.Introduction(2, true, octets, 3, octets),
            new Frame.Acceptance(octets),
            new Frame.Refusal(Reason.FORGED, "why"),
            new Frame.PipeStart(2, true, true, 4),
            new Frame.Data(0, ByteBuffer.allocate(20)),
            new Frame.Acknowledgement(1, CAPACITY, 3),
            new Frame.Probe(4),
            new Frame.Echo(4),
            new Frame.Withdrawal(),
            new Frame.End(20, Reason.FINISHED),
            new Frame.Reset(Reason.MALFORMED, "why"))
        .map(frame -> bytes(frame, 1));
  }

  /** A frame, behind {@code before} zeros. */
  private static byte[] bytes(Frame frame, int before) {
    ByteBuffer head = FrameCodec.head(frame);
    ByteBuffer data = frame instanceof Frame.Data it ? it.bytes() : ByteBuffer.allocate(0);
    return ByteBuffer.allocate(before + head.remaining() + data.remaining())
        .put(before == 0 ? new byte[0] : new byte[] {9})
        .put(head)
        .put(data.duplicate())
        .array();
  }

  @Override
  protected void parse(byte[] input) {
    if (input.length == 0) {
      return;
    }
    byte[] said = Arrays.copyOfRange(input, 1, input.length);
    try {
      ByteBuffer whole = ByteBuffer.wrap(said);
      for (Frame frame = FrameCodec.parse(whole); frame != null; frame = FrameCodec.parse(whole)) {
        same(frame, FrameCodec.parse(ByteBuffer.wrap(bytes(frame, 0))));
      }
    } catch (ProtocolViolation e) {
      // As declared.
    }
    SegmentStream stream =
        new SegmentStream(
            new SegmentStream.Settings(CAPACITY, 10_000_000_000L, Scheduler.EARLIEST),
            HeapChunks.MEMORY,
            1);
    stream.join(0, 1_000_000, 1);
    stream.join(1, 1_000_000, 1);
    FrameReader reader = new FrameReader();
    int most = Math.max(1, input[0] & 0xff);
    long[] now = {1};
    try {
      for (int at = 0; at < said.length; at += most) {
        reader.read(
            ByteBuffer.wrap(said, at, Math.min(most, said.length - at)),
            frame -> {
              now[0] += 1_000_000;
              take(stream, frame, now[0]);
            });
        require(reader.heldBytes() <= FrameCodec.HEADER + 512, "little is held of a frame");
      }
    } catch (ProtocolViolation e) {
      stream.violated(e);
    }
    require(
        stream.heldBytes() <= 2L * CAPACITY + 4L * ByteWindow.CHUNK_BYTES, "a stream is bounded");
    if (stream.over()) {
      stream.release();
    }
  }

  private static void take(SegmentStream stream, Frame frame, long now) {
    int _ = stream.offer(ByteBuffer.allocate(100));
    for (int pipe = 0; pipe < 2; pipe++) {
      Frame _ = stream.next(pipe, now);
    }
    stream.received(0, frame, now);
    for (ByteBuffer next = stream.readable(); next != null; next = stream.readable()) {
      stream.delivered(next.remaining(), now);
    }
    long _ = stream.onTime(now);
  }
}
