package io.cascade.client.transfer.wire;

import io.cascade.client.entries.StandingEntry;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * What the receiver has of entries that a stream asks for.
 *
 * <pre>
 *  0  4  'C' 'S' 'C' 'E'
 *  4  8  number of the first entry, as they were asked for, from 0
 * 12  4  how many answers follow, at most {@value #MOST_AT_ONCE}
 * 16  …  each: 1 number of the {@link StandingEntry.Kind}; of a file or its beginning, 8 bytes
 *        how many of its bytes the receiver has and 32 their SHA-256
 * </pre>
 */
public record StandingReply(long first, List<StandingEntry> standing) implements Reply {
  static final byte[] MAGIC = {'C', 'S', 'C', 'E'};
  static final int MOST_AT_ONCE = 1_024;
  private static final int FIXED_BYTES = 12;
  private static final int MOST_ANSWER_BYTES = 1 + Long.BYTES + Sha256.BYTES;

  @Override
  public ByteBuffer encode() {
    ByteBuffer message =
        ByteBuffer.allocate(MAGIC_BYTES + FIXED_BYTES + standing.size() * MOST_ANSWER_BYTES)
            .put(MAGIC)
            .putLong(first)
            .putInt(standing.size());
    for (StandingEntry one : standing) {
      message.put((byte) one.kind().number());
      if (hasBytes(one.kind())) {
        message.putLong(one.bytes()).put(HexFormat.of().parseHex(one.sha256()));
      }
    }
    return message.flip();
  }

  private static boolean hasBytes(StandingEntry.Kind kind) {
    return kind == StandingEntry.Kind.FILE || kind == StandingEntry.Kind.BEGINNING;
  }

  static StandingReply readRest(ReadableByteChannel in) throws IOException {
    ByteBuffer fixed = ByteBuffer.allocate(FIXED_BYTES);
    Channels.readFully(in, fixed);
    long first = fixed.getLong(0);
    int count = fixed.getInt(Long.BYTES);
    if (count < 0 || count > MOST_AT_ONCE) {
      throw new TransferFailed("the receiver answers for %d entries at once".formatted(count));
    }
    List<StandingEntry> all = new ArrayList<>(count);
    ByteBuffer one = ByteBuffer.allocate(MOST_ANSWER_BYTES);
    for (int i = 0; i < count; i++) {
      Channels.readFully(in, one.clear().limit(1));
      int number = one.get(0);
      StandingEntry.Kind kind =
          StandingEntry.Kind.of(number)
              .orElseThrow(() ->
                  new TransferFailed("the receiver answers %d for an entry".formatted(number)));
      long bytes = 0;
      String sha256 = "";
      if (hasBytes(kind)) {
        Channels.readFully(in, one.clear().limit(MOST_ANSWER_BYTES - 1));
        bytes = one.getLong(0);
        if (bytes < 0) {
          throw new TransferFailed("the receiver has %d bytes of an entry".formatted(bytes));
        }
        sha256 = HexFormat.of().formatHex(one.array(), Long.BYTES, MOST_ANSWER_BYTES - 1);
      }
      all.add(new StandingEntry(kind, bytes, sha256));
    }
    return new StandingReply(first, all);
  }
}
