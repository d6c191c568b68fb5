package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.Extents.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Checksums of what the receiver held when it began, after its {@link Offer}: several messages, the
 * last of which is empty. The sender compares them with the file, and sends again what differs.
 *
 * <pre>
 *  0  4  'C' 'S' 'C' 'H'
 *  4  4  number of extents, at most {@value #MOST_AT_ONCE}; 0 at the end
 *  8  …  extents in the order of the file: offset 8, length 4, CRC-32C 4
 * </pre>
 */
public record HeldExtents(List<Extent> extents) implements Reply {
  static final byte[] MAGIC = {'C', 'S', 'C', 'H'};

  /** Most extents of one message. */
  public static final int MOST_AT_ONCE = 1_024;

  private static final int EXTENT_BYTES = 16;

  @Override
  public ByteBuffer encode() {
    ByteBuffer message =
        ByteBuffer.allocate(MAGIC_BYTES + Integer.BYTES + extents.size() * EXTENT_BYTES)
            .put(MAGIC)
            .putInt(extents.size());
    for (Extent one : extents) {
      message.putLong(one.offset()).putInt(one.length()).putInt(one.crc());
    }
    return message.flip();
  }

  static HeldExtents readRest(ReadableByteChannel in) throws IOException {
    ByteBuffer count = ByteBuffer.allocate(Integer.BYTES);
    Channels.readFully(in, count);
    int extents = count.getInt(0);
    if (extents < 0 || extents > MOST_AT_ONCE) {
      throw new TransferFailed("the receiver offers %d extents at once".formatted(extents));
    }
    ByteBuffer rest = ByteBuffer.allocate(extents * EXTENT_BYTES);
    Channels.readFully(in, rest);
    rest.flip();
    List<Extent> all = new ArrayList<>(extents);
    for (int i = 0; i < extents; i++) {
      Extent one = new Extent(rest.getLong(), rest.getInt(), rest.getInt());
      if (one.offset() < 0 || one.length() <= 0 || one.end() < 0) {
        throw new TransferFailed("the receiver offers " + one);
      }
      all.add(one);
    }
    return new HeldExtents(all);
  }
}
