package io.cascade.client.transfer;

import io.cascade.client.entries.EntrySource;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.Holes;
import io.cascade.client.transfer.content.Zeros;
import io.cascade.client.transfer.wire.Block;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * Content to send, read once from its beginning to its end. A file may be read again at any offset,
 * for blocks that have to be sent again.
 */
final class Content implements AutoCloseable {
  private final TransferHeader header;
  private final ReadableByteChannel channel;
  private final long origin;
  private final @Nullable Holes holes;
  private long position;

  /**
   * @throws IOException where a file's position cannot be determined
   */
  Content(TransferHeader header, ReadableByteChannel channel, Original original)
      throws IOException {
    this.header = header;
    this.channel = channel;
    // A pipe has no position, although it may be opened as a file.
    this.origin = canBeReadAgain() && channel instanceof FileChannel file ? file.position() : 0;
    this.holes = canBeReadAgain() && origin == 0 ? original.holes() : null;
  }

  /** Whether blocks that were read can be read again. */
  boolean canBeReadAgain() {
    return channel instanceof FileChannel && header.sizeKnown();
  }

  /** Bytes of all holes; 0 where it has none. */
  long holeBytes() {
    Holes known = holes;
    return known == null ? 0 : header.size() - known.dataBytes();
  }

  /** Bytes of the hole at a position, at most so many; 0 where there is none. */
  int hole(long offset, long most) {
    Holes known = holes;
    long end = known == null ? offset : known.end(offset);
    return (int) Math.min(Math.min(end - offset, most), Block.MOST_HOLE_BYTES);
  }

  /** Bytes of data from a position up to the next hole, at most so many. */
  int data(long offset, int most) {
    Holes known = holes;
    return known == null ? most : (int) (known.next(offset, offset + most) - offset);
  }

  /** Entries, which are sent according to their receiver's answers; null for other content. */
  @Nullable EntrySource entries() {
    return channel instanceof EntrySource entries ? entries : null;
  }

  /** Position up to which the content was read. */
  long position() {
    return position;
  }

  /** Continues reading at an offset. The content must be readable again. */
  void moveTo(long offset) {
    position = offset;
  }

  /**
   * Reads once; if the size is known, until the buffer is full.
   *
   * @param most bytes to read
   * @return bytes read; 0 where there are none yet, -1 at the end
   * @throws TransferFailed where it cannot be read, or became shorter than it was announced
   */
  int read(ByteBuffer into, int most) throws TransferFailed {
    int start = into.position();
    boolean atEnd = false;
    if (holes != null) { // The channel's position does not follow, since holes are not read.
      int length = data(position, (int) Math.min(most, header.size() - position));
      readAgain(into.limit(start + length), position);
      position += length;
      return length == 0 ? -1 : length;
    }
    long left = header.sizeKnown() ? Math.min(most, header.size() - position) : most;
    into.limit((int) (start + left));
    while (into.hasRemaining()) {
      int read = next(into);
      if (read < 0) {
        if (header.sizeKnown()) {
          throw shorter(position + into.position() - start);
        }
        atEnd = true;
        break;
      }
      if (!header.sizeKnown()) {
        break; // The output of a pipe is sent at once.
      }
    }
    int bytes = into.position() - start;
    position += bytes;
    return bytes == 0 && (atEnd || header.sizeKnown()) ? -1 : bytes;
  }

  /**
   * Reads bytes again, until the buffer is full.
   *
   * @throws TransferFailed where the file no longer has them
   */
  void readAgain(ByteBuffer into, long offset) throws TransferFailed {
    FileChannel file = (FileChannel) channel;
    long at = offset;
    while (into.hasRemaining()) {
      int zeros = hole(at, into.remaining());
      if (zeros > 0) {
        Zeros.put(into, zeros);
        at += zeros;
        continue;
      }
      int read;
      try {
        read = file.read(into, origin + at);
      } catch (IOException e) {
        throw unreadable(e);
      }
      if (read < 0) {
        throw shorter(at);
      }
      at += read;
    }
  }

  private int next(ByteBuffer into) throws TransferFailed {
    try {
      return channel.read(into);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  private TransferFailed unreadable(IOException e) {
    return new TransferFailed("cannot read " + header.name() + ": " + e.getMessage(), e);
  }

  private TransferFailed shorter(long bytes) {
    return new TransferFailed(
        "%s became shorter while it was sent: %d of %d bytes"
            .formatted(header.name(), bytes, header.size()));
  }

  @Override
  public void close() {
    if (holes != null) {
      holes.close();
    }
  }
}
