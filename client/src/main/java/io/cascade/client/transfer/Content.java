package io.cascade.client.transfer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;

/**
 * Content that is sent, read once from its beginning to its end. A file may be read again at any
 * place, for blocks that have to be sent once more.
 */
final class Content {
  private final TransferHeader header;
  private final ReadableByteChannel channel;
  private final long origin;
  private long position;

  /**
   * @throws IOException where a file's position cannot be told
   */
  Content(TransferHeader header, ReadableByteChannel channel) throws IOException {
    this.header = header;
    this.channel = channel;
    // A pipe has no position, although it may be opened as a file.
    this.origin = canBeReadAgain() && channel instanceof FileChannel file ? file.position() : 0;
  }

  /** Whether blocks that were read can be read again. */
  boolean canBeReadAgain() {
    return channel instanceof FileChannel && header.sizeKnown();
  }

  /** Position up to which the content was read. */
  long position() {
    return position;
  }

  /** Reads on from there. The content can be read again. */
  void moveTo(long offset) {
    position = offset;
  }

  /**
   * Reads once, or until the buffer is full where the size is known.
   *
   * @param most bytes to read
   * @return bytes read, 0 at the end
   * @throws TransferFailed where it cannot be read, or became shorter than it was announced
   */
  int read(ByteBuffer into, int most) throws TransferFailed {
    int start = into.position();
    long left = header.sizeKnown() ? Math.min(most, header.size() - position) : most;
    into.limit((int) (start + left));
    while (into.hasRemaining()) {
      int read = next(into);
      if (read < 0) {
        if (header.sizeKnown()) {
          throw shorter(position + into.position() - start);
        }
        break;
      }
      if (!header.sizeKnown() && read > 0) {
        break; // What a pipe yields goes on at once.
      }
    }
    int bytes = into.position() - start;
    position += bytes;
    return bytes;
  }

  /**
   * Reads bytes once more, until the buffer is full.
   *
   * @throws TransferFailed where they are not there any more
   */
  void readAgain(ByteBuffer into, long offset) throws TransferFailed {
    FileChannel file = (FileChannel) channel;
    long at = offset;
    while (into.hasRemaining()) {
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
}
