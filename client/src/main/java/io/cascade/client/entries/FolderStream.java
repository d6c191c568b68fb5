package io.cascade.client.entries;

import io.cascade.client.entries.Entry.Kind;
import io.cascade.command.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The encoded stream of a walk. A file that cannot be opened is passed over and reported. One that
 * changes while it is read is filled up to the size in its header and marked behind it, so that the
 * receiver discards it. For one thread.
 */
public final class FolderStream implements ReadableByteChannel {
  private final EntryWalk walk;
  private final Selection selection;
  private final EntryListener listener;
  private final Deque<ByteBuffer> ready = new ArrayDeque<>();
  private @Nullable OpenFile file;
  private boolean ended;
  private boolean closed;

  /** A file of which bytes remain. */
  private static final class OpenFile {
    private final Entry entry;
    private final FileChannel channel;
    private final PosixFileAttributes before;
    private long left;
    private @Nullable String spoilt;

    OpenFile(Entry entry, FileChannel channel, PosixFileAttributes before) {
      this.entry = entry;
      this.channel = channel;
      this.before = before;
      this.left = entry.size();
    }
  }

  /**
   * The stream from its beginning.
   *
   * @param walk closed with this
   */
  public FolderStream(EntryWalk walk, Selection selection, EntryListener listener) {
    this.walk = walk;
    this.selection = selection;
    this.listener = listener;
  }

  /**
   * The rest of a stream of all entries, behind the cursor. No content before it is read. Empty
   * where the tree is not the one of which the cursor tells; it is then sent from its beginning.
   *
   * @param walk at its beginning; closed with the stream, or where there is none
   */
  public static Optional<FolderStream> from(Cursor cursor, EntryWalk walk, EntryListener listener) {
    List<Entry> around = new ArrayList<>();
    long offset = 0;
    Entry next;
    while ((next = walk.next()) != null) {
      Entry entry = next;
      offset += EntryEncoder.bytes(entry);
      if (cursor.isAt(entry, offset)) {
        FolderStream stream = new FolderStream(walk, Selection.ALL, listener);
        List<String> open = walk.folders();
        around.removeIf(folder -> !open.contains(folder.path()));
        if (entry.kind() == Kind.FOLDER) {
          around.add(entry);
        }
        around.forEach(folder -> stream.ready.add(EntryEncoder.header(folder)));
        stream.ready.add(
            EntryEncoder.control(PaxFormat.OFFSET_KEY, Long.toString(cursor.offset())));
        return Optional.of(stream);
      }
      if (offset >= cursor.offset()) {
        break;
      }
      if (entry.kind() == Kind.FOLDER) {
        around.removeIf(folder -> !entry.path().startsWith(folder.path() + "/"));
        around.add(entry);
      }
    }
    walk.close();
    return Optional.empty();
  }

  /** What was not sent, or is discarded by the receiver, by name. */
  public Troubles unread() {
    return walk.unread();
  }

  /** Sockets, devices and named pipes, which are not sent. */
  public Troubles special() {
    return walk.special();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (closed) {
      throw new ClosedChannelException();
    }
    int start = into.position();
    while (into.hasRemaining()) {
      ByteBuffer next = ready.peek();
      OpenFile open = file;
      if (next != null) {
        int length = Math.min(next.remaining(), into.remaining());
        into.put(into.position(), next, next.position(), length);
        into.position(into.position() + length);
        next.position(next.position() + length);
        if (!next.hasRemaining()) {
          ready.remove();
        }
      } else if (open != null) {
        read(open, into);
      } else if (ended) {
        break;
      } else {
        advance();
      }
    }
    int bytes = into.position() - start;
    return bytes == 0 && into.hasRemaining() ? -1 : bytes;
  }

  private void advance() throws IOException {
    Entry entry = walk.next();
    if (entry == null) {
      ended = true;
      ready.add(EntryEncoder.end());
      return;
    }
    if (entry.kind() != Kind.FOLDER && !selection.wants(entry)) {
      return;
    }
    if (entry.size() > 0) {
      try {
        file = open(entry);
      } catch (IOException e) {
        unread().add(entry.path(), "cannot be read: " + EntriesFailed.reason(e));
        return;
      }
    }
    listener.begins(Printable.line(entry.path()), entry.size());
    ready.add(EntryEncoder.header(entry));
  }

  private OpenFile open(Entry entry) throws IOException {
    FileChannel channel = walk.open();
    try {
      OpenFile open = new OpenFile(entry, channel, walk.attributes());
      if (differs(entry, open.before)) {
        open.spoilt = "changed while it was sent";
      }
      return open;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean differs(Entry entry, PosixFileAttributes is) {
    return !is.isRegularFile()
        || is.size() != entry.size()
        || !is.lastModifiedTime().toInstant().equals(entry.modified());
  }

  private void read(OpenFile open, ByteBuffer into) throws IOException {
    int length = (int) Math.min(open.left, into.remaining());
    ByteBuffer some = into.slice(into.position(), length);
    try {
      while (some.hasRemaining() && open.spoilt == null) {
        if (open.channel.read(some) < 0) {
          open.spoilt = "became shorter while it was sent";
        }
      }
    } catch (IOException e) {
      open.spoilt = "cannot be read: " + EntriesFailed.reason(e);
    }
    while (some.hasRemaining()) {
      some.put((byte) 0);
    }
    into.position(into.position() + length);
    open.left -= length;
    if (open.left == 0) {
      finish(open);
    }
  }

  private void finish(OpenFile open) throws IOException {
    file = null;
    open.channel.close();
    int padding = PaxFormat.padding(open.entry.size());
    if (padding > 0) {
      ready.add(ByteBuffer.allocate(padding));
    }
    if (open.spoilt == null && hasChanged(open)) {
      open.spoilt = "changed while it was sent";
    }
    if (open.spoilt != null) {
      ready.add(EntryEncoder.control(PaxFormat.SPOILT_KEY, open.spoilt));
      unread().add(open.entry.path(), open.spoilt + "; fix: send it again");
    }
  }

  private boolean hasChanged(OpenFile open) {
    try {
      PosixFileAttributes now = walk.attributes();
      return differs(open.entry, now) || !Objects.equals(now.fileKey(), open.before.fileKey());
    } catch (IOException e) {
      return true;
    }
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    OpenFile open = file;
    file = null;
    try (walk) {
      if (open != null) {
        open.channel.close();
      }
    }
  }
}
