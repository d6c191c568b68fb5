package io.cascade.segments;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes frames out of pieces of any length, as they come from a pipe. Copies nothing but the frame
 * that the end of a piece cuts.
 */
public final class FrameReader {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** The header of a frame whose length is not known yet, or the beginning of one that is. */
  private ByteBuffer cut = NOTHING;

  /**
   * Takes the frames that are complete with a piece, and keeps the beginning of the one that is
   * not.
   *
   * @param piece consumed; the bytes of data frames share its memory, so that {@code frames} has to
   *     copy what it keeps
   * @throws ProtocolViolation where something is no frame of this protocol; then nothing more may
   *     be read
   */
  public void read(ByteBuffer piece, Consumer<Frame> frames) throws ProtocolViolation {
    while (cut.position() > 0 && piece.hasRemaining()) {
      Frame frame = complete(piece);
      if (frame != null) {
        cut = NOTHING;
        frames.accept(frame);
      }
    }
    for (Frame frame = FrameCodec.parse(piece); frame != null; frame = FrameCodec.parse(piece)) {
      frames.accept(frame);
    }
    if (piece.hasRemaining()) {
      cut = ByteBuffer.allocate(Math.max(FrameCodec.HEADER, FrameCodec.length(piece))).put(piece);
    }
  }

  private @Nullable Frame complete(ByteBuffer piece) throws ProtocolViolation {
    int length = Math.min(cut.remaining(), piece.remaining());
    cut.put(piece.slice(piece.position(), length));
    piece.position(piece.position() + length);
    if (cut.hasRemaining()) {
      return null;
    }
    ByteBuffer whole = cut.duplicate().flip();
    int needed = FrameCodec.length(whole);
    if (needed > cut.capacity()) {
      cut = ByteBuffer.allocate(needed).put(whole); // it was the header alone
      return null;
    }
    return FrameCodec.parse(whole);
  }

  /** Memory that is held until more comes. */
  public int heldBytes() {
    return cut.capacity();
  }
}
