package io.cascade.segments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A junction whose peer says whatever it likes, frame by frame. */
class FuzzedFramesTest {
  private static final int STREAMS = 3_000;
  private static final int FRAMES = 200;
  private static final int CAPACITY = 1 << 16;
  private static final long PATIENCE = 10_000_000_000L;

  /** What is delivered is in order and once, what breaks the protocol resets the stream by name. */
  @Test
  void nothingIsDeliveredTwiceOrOutOfPlaceWhateverComes() {
    int reset = 0;
    int carried = 0;
    for (long seed = 0; seed < STREAMS; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SegmentStream stream =
          new SegmentStream(
              new SegmentStream.Settings(CAPACITY, PATIENCE, Scheduler.EARLIEST),
              HeapChunks.MEMORY,
              1);
      stream.join(0, 1_000_000, 1);
      stream.join(1, 1_000_000, 1);
      long read = 0;
      long now = 1;
      for (int i = 0; i < FRAMES && !stream.over(); i++) {
        now += random.nextLong(10_000_000);
        if (random.nextInt(4) == 0) {
          int _ = stream.offer(ByteBuffer.allocate(1 + random.nextInt(1_000)));
        }
        for (int pipe = 0; pipe < 2; pipe++) {
          Frame _ = stream.next(pipe, now);
        }
        stream.received(random.nextInt(3), frame(random, read), now);
        for (ByteBuffer next = stream.readable(); next != null; next = stream.readable()) {
          int length = next.remaining();
          for (int at = 0; at < length; at++) {
            assertThat(next.get(next.position() + at)).isEqualTo(octet(read + at));
          }
          read += length;
          stream.delivered(length, now);
        }
        long _ = stream.onTime(now);
        assertThat(stream.heldBytes())
            .isLessThanOrEqualTo(2L * CAPACITY + 4L * ByteWindow.CHUNK_BYTES);
      }
      carried += read > 0 ? 1 : 0;
      if (stream.state() == StreamState.RESET) {
        reset++;
        assertThat(stream.failure()).isNotNull();
        assertThat(stream.readable()).isNull();
      }
    }
    assertThat(reset).isPositive();
    assertThat(carried).isPositive();
  }

  private static byte octet(long offset) {
    return (byte) (offset * 31);
  }

  private static Frame frame(SplittableRandom random, long read) {
    return switch (random.nextInt(24)) {
      case 0 ->
          new Frame.Acknowledgement(
              random.nextInt(3_000), random.nextInt(CAPACITY), random.nextInt(3_000));
      case 1 -> new Frame.End(read + random.nextInt(2_000), Reason.FINISHED);
      case 2 -> new Frame.Withdrawal();
      case 3 -> new Frame.Probe(random.nextLong());
      case 4 -> new Frame.Echo(random.nextInt(4));
      case 5 ->
          random.nextInt(8) == 0 ? new Frame.PipeStart(2, true, false, 1) : new Frame.Probe(1);
      default -> {
        long start = Math.max(0, read - 500 + random.nextInt(3_000));
        byte[] bytes = new byte[1 + random.nextInt(1_500)];
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] = octet(start + i);
        }
        yield new Frame.Data(start, ByteBuffer.wrap(bytes));
      }
    };
  }
}
