package io.cascade.client.entries;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The present file of a walk, as it is sent: without its holes. */
final class OpenFile {
  static final String CHANGED = "changed while it was sent";

  private final EntryWalk walk;
  private final Entry entry;
  private final FileChannel channel;
  private final PosixFileAttributes before;
  private DataMap data;
  private int piece;
  private long at;
  private int padding;
  private @Nullable String spoilt;

  OpenFile(EntryWalk walk, Entry entry) throws IOException {
    this.walk = walk;
    this.entry = entry;
    this.data = new DataMap(0, entry.size());
    this.channel = walk.open();
    try {
      this.before = walk.attributes();
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    if (differs(before)) {
      spoilt = CHANGED;
    }
  }

  private boolean differs(PosixFileAttributes is) {
    return !is.isRegularFile()
        || is.size() != entry.size()
        || !is.lastModifiedTime().toInstant().equals(entry.modified());
  }

  Entry entry() {
    return entry;
  }

  FileChannel channel() {
    return channel;
  }

  /** Why the file differs from its entry; null while it does not. */
  @Nullable String spoilt() {
    return spoilt;
  }

  /**
   * Begins to read.
   *
   * @return the ranges from there on that hold data; null where the file has no holes
   */
  @Nullable DataMap begin(long from) {
    DataMap map = walk.data(entry, from);
    data = map == null ? new DataMap(from, entry.size() - from) : map;
    piece = 0;
    at = data.offset(0);
    return map;
  }

  /** Bytes that fill its last block. */
  int padding() {
    return padding;
  }

  void pads(int bytes) {
    padding = bytes;
  }

  /**
   * Reads on; yields zeros where the file has changed.
   *
   * @return whether the file is complete
   */
  boolean read(ByteBuffer into) {
    while (piece < data.count() && at == data.offset(piece) + data.length(piece)) {
      piece++;
      at = piece < data.count() ? data.offset(piece) : at;
    }
    if (piece == data.count()) {
      return true;
    }
    int length = (int) Math.min(data.offset(piece) + data.length(piece) - at, into.remaining());
    ByteBuffer some = into.slice(into.position(), length);
    try {
      while (some.hasRemaining() && spoilt == null) {
        if (channel.read(some, at + some.position()) < 0) {
          spoilt = "became shorter while it was sent";
        }
      }
    } catch (IOException e) {
      spoilt = "cannot be read: " + EntriesFailed.reason(e);
    }
    while (some.hasRemaining()) {
      some.put((byte) 0);
    }
    into.position(into.position() + length);
    at += length;
    return false;
  }

  boolean hasChanged() {
    try {
      PosixFileAttributes now = walk.attributes();
      return differs(now) || !Objects.equals(now.fileKey(), before.fileKey());
    } catch (IOException e) {
      return true;
    }
  }

  void close() throws IOException {
    channel.close();
  }
}
