package io.cascade.segments;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Extracts frames from pieces of any length, as they arrive over a pipe. A data frame that is split
 * between pieces is passed on as several, each with the octets that have arrived. So only the
 * beginning of a control frame, or of a data frame's header, is copied and kept.
 */
public final class FrameReader {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** The beginning of a frame whose needed part is incomplete. */
  private ByteBuffer cut = NOTHING;

  /** Stream offset of the next octet of the data frame being read. */
  private long dataOffset;

  /** Octets of that data frame that have not arrived. */
  private int dataLeft;

  /**
   * Passes on the available frames of a piece.
   *
   * @param piece consumed; the bytes of data frames share its memory, so {@code frames} must copy
   *     what it keeps
   * @throws ProtocolViolation if something is no frame of this protocol; then nothing more may be
   *     read
   */
  public void read(ByteBuffer piece, Consumer<Frame> frames) throws ProtocolViolation {
    while (piece.hasRemaining()) {
      Frame frame = next(piece);
      if (frame != null) {
        frames.accept(frame);
      }
    }
  }

  private @Nullable Frame next(ByteBuffer piece) throws ProtocolViolation {
    if (dataLeft > 0) {
      return data(piece);
    }
    if (cut.position() > 0) {
      return complete(piece);
    }
    Frame frame = FrameCodec.parse(piece);
    if (frame == null) {
      begin(piece);
    }
    return frame;
  }

  private Frame data(ByteBuffer piece) {
    int length = Math.min(dataLeft, piece.remaining());
    Frame frame = new Frame.Data(dataOffset, piece.slice(piece.position(), length));
    piece.position(piece.position() + length);
    dataOffset += length;
    dataLeft -= length;
    return frame;
  }

  /** Stores the beginning of an incomplete frame. */
  private void begin(ByteBuffer piece) throws ProtocolViolation {
    int needed = FrameCodec.wholeOctets(piece);
    if (FrameCodec.beginsData(piece) && piece.remaining() >= needed) {
      dataLeft = FrameCodec.length(piece) - needed;
      dataOffset = FrameCodec.takeDataHead(piece);
    } else {
      cut = ByteBuffer.allocate(needed).put(piece);
    }
  }

  private @Nullable Frame complete(ByteBuffer piece) throws ProtocolViolation {
    int length = Math.min(cut.remaining(), piece.remaining());
    cut.put(piece.slice(piece.position(), length));
    piece.position(piece.position() + length);
    if (cut.hasRemaining()) {
      return null;
    }
    ByteBuffer whole = cut.flip();
    cut = NOTHING;
    Frame frame = FrameCodec.parse(whole);
    if (frame == null) {
      begin(whole);
    }
    return frame;
  }

  /** Memory that is held until more arrives. */
  public int heldBytes() {
    return cut.capacity();
  }
}
