package io.cascade.carriage.junction;

import io.cascade.segments.Frame;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.SegmentStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Frames of a stream in one buffer, so that they are one write. Long data is not copied: the buffer
 * shares the memory of the stream's window.
 */
final class FrameBatch {
  /** Octets after which no more frames are added to a batch, until the kernel has accepted it. */
  private static final int OCTETS = 64 << 10;

  private static final int MOST_FRAMES = 64;

  /** Room for the headers of the data frames, and for one control frame of each kind. */
  private static final int COPIED = 2_048;

  private final CompositeByteBuf batch =
      PooledByteBufAllocator.DEFAULT.compositeDirectBuffer(2 * MOST_FRAMES);

  /** Bytes before, after or between shared data. */
  private final ByteBuf copied = PooledByteBufAllocator.DEFAULT.directBuffer(COPIED);

  private FrameBatch() {}

  /**
   * Takes frames until the batch is full or there are no more.
   *
   * @param first the frame that precedes the others; null if there is none
   * @param stream whose next frames for the pipe follow
   * @return null if there is nothing to write
   */
  static @Nullable ByteBuf of(@Nullable Frame first, SegmentStream stream, int pipe, long now) {
    Frame next = first == null ? stream.next(pipe, now) : first;
    if (next == null) {
      return null;
    }
    FrameBatch frames = new FrameBatch();
    for (int count = 1; next != null; count++) {
      frames.add(next, stream);
      boolean full = frames.octets() >= OCTETS || count == MOST_FRAMES;
      next = full ? null : stream.next(pipe, now);
    }
    return frames.whole();
  }

  private int octets() {
    return batch.readableBytes() + copied.readableBytes();
  }

  private void add(Frame frame, SegmentStream stream) {
    copied.writeBytes(FrameCodec.head(frame));
    if (frame instanceof Frame.Data data) {
      int length = data.bytes().remaining();
      if (length < PooledChunks.LEAST_SHARED) {
        copied.writeBytes(data.bytes());
      } else {
        batch.addComponent(true, copied.readRetainedSlice(copied.readableBytes()));
        batch.addComponent(true, PooledChunks.octets(stream.chunk(data), data.offset(), length));
      }
    }
  }

  private ByteBuf whole() {
    if (batch.numComponents() == 0) {
      batch.release();
      return copied;
    }
    if (copied.isReadable()) {
      batch.addComponent(true, copied);
    } else {
      copied.release();
    }
    return batch;
  }
}
