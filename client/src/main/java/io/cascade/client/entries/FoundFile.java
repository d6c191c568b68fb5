package io.cascade.client.entries;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** A file that has an entry's name, size and time already: its content says whether it is that. */
final class FoundFile implements EntryContent {
  private static final int BUFFER = 64 << 10;

  private final FileChannel channel;
  private final ByteBuffer found = ByteBuffer.allocate(BUFFER);
  private boolean differs;

  private FoundFile(FileChannel channel) {
    this.channel = channel;
  }

  static FoundFile open(HeldFolder folder, Entry entry) throws IOException {
    return new FoundFile(
        FileChannel.open(
            folder.at(entry.name()), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining() && !differs) {
      found.clear().limit(Math.min(found.capacity(), bytes.remaining()));
      while (found.hasRemaining() && channel.read(found) >= 0) {
        // until it is full, or the file ends
      }
      found.flip();
      ByteBuffer same = bytes.slice(bytes.position(), found.remaining());
      differs = !found.hasRemaining() || !found.equals(same);
      bytes.position(bytes.position() + same.remaining());
    }
    bytes.position(bytes.limit());
  }

  /** Whether the content so far is another one. */
  boolean differs() {
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
      // It was only read.
    }
  }
}
