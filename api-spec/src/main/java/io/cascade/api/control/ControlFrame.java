package io.cascade.api.control;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A part of a {@link ControlMessage}, one binary message of a WebSocket (RFC 6455):
 *
 * <pre>
 *   8 bytes  number of the request, big-endian
 *   1 byte   1 in the last frame of the message, else 0
 *   2 bytes  length of the line, big-endian; 0 after the first frame
 *   line     UTF-8
 *   the rest is the body's
 * </pre>
 */
record ControlFrame(long number, boolean isLast, String line, ByteBuffer body) {
  private static final int HEAD = Long.BYTES + 1 + Short.BYTES;

  /** The longest frame. */
  static final int MOST_BYTES =
      HEAD + ControlMessage.MOST_LINE_BYTES * 3 + ControlMessage.MOST_FRAME_BODY;

  ByteBuffer encode() {
    byte[] text = line.getBytes(StandardCharsets.UTF_8);
    ByteBuffer frame = ByteBuffer.allocate(HEAD + text.length + body.remaining());
    frame.putLong(number).put((byte) (isLast ? 1 : 0)).putShort((short) text.length).put(text);
    return frame.put(body.duplicate()).flip();
  }

  /**
   * @throws IllegalArgumentException if the bytes are not a frame
   */
  static ControlFrame decode(ByteBuffer bytes) {
    if (bytes.remaining() < HEAD || bytes.remaining() > MOST_BYTES) {
      throw new IllegalArgumentException("a frame of " + bytes.remaining() + " bytes");
    }
    long number = bytes.getLong();
    byte last = bytes.get();
    int length = Short.toUnsignedInt(bytes.getShort());
    if (number < 0 || last < 0 || last > 1 || length > bytes.remaining()) {
      throw new IllegalArgumentException("not a frame");
    }
    byte[] text = new byte[length];
    bytes.get(text);
    return new ControlFrame(
        number, last == 1, new String(text, StandardCharsets.UTF_8), bytes.slice());
  }
}
