package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.content.Holes;
import io.cascade.client.transfer.wire.Block;
import io.cascade.kernel.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Holes of an arriving file; zeros are written where the system does not support holes. */
final class PartHoles implements AutoCloseable {
  private final FileChannel channel;
  private final @Nullable SparseFile sparse;

  private PartHoles(FileChannel channel, @Nullable SparseFile sparse) {
    this.channel = channel;
    this.sparse = sparse;
  }

  /** Holes of a file that is sent without any. */
  static PartHoles none(FileChannel channel) {
    return new PartHoles(channel, null);
  }

  /**
   * Holes of a file.
   *
   * @param channel to it, for writing
   */
  static PartHoles in(Path part, FileChannel channel) {
    try {
      return new PartHoles(channel, SparseFile.toWrite(part));
    } catch (IOException e) {
      return none(channel);
    }
  }

  /** Leaves a hole, or writes zeros. */
  void leave(long offset, int length) throws IOException {
    SparseFile holes = sparse;
    if (holes != null) {
      try {
        holes.clear(offset, length);
        return;
      } catch (IOException e) {
        // Zeros serve as well, and report the failure if they cannot be written.
      }
    }
    ByteBuffer zeros = ByteBuffer.allocate(Math.min(length, Block.MAX_BYTES));
    long end = offset + length;
    for (long at = offset; at < end; ) {
      at += channel.write(zeros.clear().limit((int) Math.min(zeros.capacity(), end - at)), at);
    }
  }

  /** Bytes of the hole at an offset, which need not be read; 0 where there is none. */
  int bytesFrom(long at, int most) throws IOException {
    SparseFile holes = sparse;
    if (holes == null) {
      return 0;
    }
    long data = Math.min(holes.nextData(at), channel.size());
    return (int) Math.min(most, Math.max(0, data - at));
  }

  /**
   * Bytes that occupy disk space.
   *
   * @param otherwise result where the system does not report it
   */
  long dataBytes(long otherwise) throws IOException {
    SparseFile holes = sparse;
    return holes == null ? otherwise : new Holes(holes, channel.size()).dataBytes();
  }

  @Override
  public void close() {
    SparseFile holes = sparse;
    if (holes != null) {
      holes.close();
    }
  }
}
