package io.cascade.client.entries;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A file that has an entry's name, size and time already: comparing the content decides whether it
 * is the same.
 */
final class FoundFile implements EntryContent {
  private static final int BUFFER = 64 << 10;

  private final FileChannel channel;
  private final long size;
  private final ByteBuffer found = ByteBuffer.allocate(BUFFER);
  private final ByteBuffer zeros = ByteBuffer.allocate(BUFFER);
  private long at;
  private boolean differs;

  private FoundFile(FileChannel channel, long size) {
    this.channel = channel;
    this.size = size;
  }

  static FoundFile open(HeldFolder folder, Entry entry) throws IOException {
    return new FoundFile(
        FileChannel.open(
            folder.at(entry.name()), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)),
        entry.size());
  }

  @Override
  public void write(ByteBuffer bytes, long offset) throws IOException {
    compareZeros(offset);
    while (bytes.hasRemaining() && !differs) {
      ByteBuffer same = bytes.slice(bytes.position(), Math.min(BUFFER, bytes.remaining()));
      compare(same);
      bytes.position(bytes.position() + same.remaining());
    }
    bytes.position(bytes.limit());
  }

  private void compareZeros(long end) throws IOException {
    while (at < end && !differs) {
      compare(zeros.clear().limit((int) Math.min(BUFFER, end - at)));
    }
  }

  private void compare(ByteBuffer same) throws IOException {
    found.clear().limit(same.remaining());
    while (found.hasRemaining() && channel.read(found, at + found.position()) >= 0) {
      // until the buffer is full, or the file ends
    }
    differs = !found.flip().equals(same);
    at += same.remaining();
  }

  /** Whether the content differs. */
  boolean differs() throws IOException {
    compareZeros(size);
    return differs;
  }

  @Override
  public void commit() throws IOException {
    channel.close();
  }

  @Override
  public void drop() {
    try (channel) {
      differs = true;
    } catch (IOException e) {
      // The file was only read.
    }
  }

  @Override
  public void leave() {
    drop();
  }
}
