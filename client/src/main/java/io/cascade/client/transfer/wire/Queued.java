package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Reports that the limit of arriving transfers is reached, and that this one waits. Repeated every
 * few seconds as a keep-alive.
 *
 * <pre>
 *  0  4  'C' 'S' 'C' 'Q'
 *  4  4  place in the queue; 1 is next
 * </pre>
 */
public record Queued(int place) implements Reply {
  static final byte[] MAGIC = {'C', 'S', 'C', 'Q'};

  @Override
  public ByteBuffer encode() {
    return ByteBuffer.allocate(MAGIC_BYTES + Integer.BYTES).put(MAGIC).putInt(place).flip();
  }

  static Queued readRest(ReadableByteChannel in) throws IOException {
    ByteBuffer rest = ByteBuffer.allocate(Integer.BYTES);
    Channels.readFully(in, rest);
    return new Queued(rest.getInt(0));
  }
}
