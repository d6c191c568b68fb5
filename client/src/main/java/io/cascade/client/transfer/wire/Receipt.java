package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Acknowledges a block, on the connection that brought it.
 *
 * <pre>
 *  0  4  'C' 'S' 'C' 'R'
 *  4  8  offset of the block in the file
 * 12  4  its length
 * </pre>
 */
public record Receipt(long offset, int length) implements Reply {
  static final byte[] MAGIC = {'C', 'S', 'C', 'R'};
  private static final int REST_BYTES = 12;

  @Override
  public ByteBuffer encode() {
    return ByteBuffer.allocate(MAGIC_BYTES + REST_BYTES)
        .put(MAGIC)
        .putLong(offset)
        .putInt(length)
        .flip();
  }

  static Receipt readRest(ReadableByteChannel in) throws IOException {
    ByteBuffer rest = ByteBuffer.allocate(REST_BYTES);
    Channels.readFully(in, rest);
    rest.flip();
    return new Receipt(rest.getLong(), rest.getInt());
  }
}
