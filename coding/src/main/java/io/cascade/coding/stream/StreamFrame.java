package io.cascade.coding.stream;

import io.cascade.coding.wire.Malformed;
import io.cascade.coding.wire.Varint;
import java.nio.ByteBuffer;

/**
 * Frame of a stream in a symbol, which contains one after the other; the first byte is the type.
 */
sealed interface StreamFrame {
  int STREAM_TYPE = 0x10;
  int LAST_TYPE = 0x11;
  int RESET_TYPE = 0x12;
  int MOST_TYPE = 0x13;

  /** The stream that it concerns. */
  long stream();

  /**
   * Bytes of a stream.
   *
   * @param offset of the first
   * @param last whether the stream ends after them
   * @param data a view of the symbol
   */
  record Data(long stream, long offset, boolean last, ByteBuffer data) implements StreamFrame {}

  /**
   * The stream is reset, in both directions.
   *
   * @param code of the application
   * @param finalSize number of bytes that were sent before, all of which arrive
   */
  record Reset(long stream, long code, long finalSize) implements StreamFrame {}

  /**
   * Grants credit.
   *
   * @param limit offset below which the stream may be sent
   */
  record Most(long stream, long limit) implements StreamFrame {}

  /** Bytes of the header of a data frame with less than 16 KiB of data. */
  static int headBytes(long stream, long offset) {
    return 1 + Varint.length(stream) + Varint.length(offset) + 2;
  }

  /** Longest frame without data. */
  int MOST_CONTROL_BYTES = 1 + 3 * 8;

  /** Writes the header of a data frame, which so many bytes follow. */
  static void writeHead(ByteBuffer to, long stream, long offset, int bytes, boolean last) {
    to.put((byte) (last ? LAST_TYPE : STREAM_TYPE));
    Varint.write(to, stream);
    Varint.write(to, offset);
    to.putShort((short) bytes);
  }

  static void writeReset(ByteBuffer to, long stream, long code, long finalSize) {
    to.put((byte) RESET_TYPE);
    Varint.write(to, stream);
    Varint.write(to, code);
    Varint.write(to, finalSize);
  }

  static void writeMost(ByteBuffer to, long stream, long limit) {
    to.put((byte) MOST_TYPE);
    Varint.write(to, stream);
    Varint.write(to, limit);
  }

  /**
   * Reads the next frame.
   *
   * @throws Malformed if the type is unknown or the frame is truncated
   */
  static StreamFrame read(ByteBuffer from) throws Malformed {
    int at = from.position();
    int type = from.get() & 0xff;
    return switch (type) {
      case STREAM_TYPE, LAST_TYPE -> data(from, type == LAST_TYPE);
      case RESET_TYPE -> new Reset(Varint.read(from), Varint.read(from), Varint.read(from));
      case MOST_TYPE -> new Most(Varint.read(from), Varint.read(from));
      default -> throw new Malformed("frame type " + type, at);
    };
  }

  private static Data data(ByteBuffer from, boolean last) throws Malformed {
    long stream = Varint.read(from);
    long offset = Varint.read(from);
    int at = from.position();
    int length = from.remaining() < 2 ? Integer.MAX_VALUE : from.getShort() & 0xffff;
    if (length > from.remaining()) {
      throw new Malformed("a stream's bytes are cut", at);
    }
    ByteBuffer data = from.slice(from.position(), length);
    from.position(from.position() + length);
    return new Data(stream, offset, last, data);
  }
}
