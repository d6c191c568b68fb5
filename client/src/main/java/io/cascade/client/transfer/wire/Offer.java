package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.ByteRanges;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.UUID;

/**
 * First message of a receiver to a sender that reconnects: which bytes of the file it holds. The
 * sender may send the first {@value #MOST_UNOFFERED} bytes before it has arrived.
 *
 * <pre>
 *  0  4  'C' 'S' 'C' 'O'
 *  4 16  the reception, a random number. Receipts of another one are ignored
 * 20  4  number of ranges, at most {@value #MOST_RANGES}
 * 24  …  ranges, each the offset of its first byte and that behind its last one, 8 bytes each
 * </pre>
 *
 * @param reception the receiver's identifier of what it holds
 */
public record Offer(UUID reception, ByteRanges held) implements Reply {
  static final byte[] MAGIC = {'C', 'S', 'C', 'O'};

  /** A receiver fails a transfer with more gaps. */
  public static final int MOST_RANGES = 4_096;

  /** Most bytes that a sender sends before it knows what the receiver holds: less than a window. */
  public static final long MOST_UNOFFERED = 1 << 20;

  private static final int FIXED_BYTES = 20;
  private static final int RANGE_BYTES = 16;

  @Override
  public ByteBuffer encode() {
    ByteBuffer message =
        ByteBuffer.allocate(MAGIC_BYTES + FIXED_BYTES + held.count() * RANGE_BYTES)
            .put(MAGIC)
            .putLong(reception.getMostSignificantBits())
            .putLong(reception.getLeastSignificantBits())
            .putInt(held.count());
    held.forEach((start, end) -> message.putLong(start).putLong(end));
    return message.flip();
  }

  static Offer readRest(ReadableByteChannel in) throws IOException {
    ByteBuffer fixed = ByteBuffer.allocate(FIXED_BYTES);
    Channels.readFully(in, fixed);
    fixed.flip();
    UUID reception = new UUID(fixed.getLong(), fixed.getLong());
    int count = fixed.getInt();
    if (count < 0 || count > MOST_RANGES) {
      throw new TransferFailed("the receiver offers %d ranges".formatted(count));
    }
    ByteBuffer ranges = ByteBuffer.allocate(count * RANGE_BYTES);
    Channels.readFully(in, ranges);
    ranges.flip();
    ByteRanges held = new ByteRanges();
    for (int i = 0; i < count; i++) {
      long start = ranges.getLong();
      long end = ranges.getLong();
      if (start < 0 || end <= start) {
        throw new TransferFailed("the receiver offers bytes from %d to %d".formatted(start, end));
      }
      long _ = held.add(start, end);
    }
    return new Offer(reception, held);
  }
}
