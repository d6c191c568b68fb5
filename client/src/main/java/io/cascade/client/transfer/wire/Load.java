package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.Channels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * Share of time in which the receiver stored in the last second or more, sent if the sender's
 * header accepts it ({@link HeaderFields#hearsLoad}).
 *
 * <pre>
 *  0  4  'C' 'S' 'C' 'L'
 *  4  2  share of the time in which blocks waited for its disk or its digest, in thousandths
 * </pre>
 */
public record Load(int permille) implements Reply {
  static final byte[] MAGIC = {'C', 'S', 'C', 'L'};

  /** The whole time, in thousandths. */
  public static final int MOST = 1_000;

  @Override
  public ByteBuffer encode() {
    return ByteBuffer.allocate(MAGIC_BYTES + Short.BYTES)
        .put(MAGIC)
        .putShort((short) permille)
        .flip();
  }

  static Load readRest(ReadableByteChannel in) throws IOException {
    ByteBuffer rest = ByteBuffer.allocate(Short.BYTES);
    Channels.readFully(in, rest);
    return new Load(Math.clamp(rest.getShort(0), 0, MOST));
  }
}
