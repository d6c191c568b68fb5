package io.cascade.client.entries;

import io.cascade.command.Digests;
import io.cascade.command.FileKind;
import io.cascade.command.OwnerOnlyFile;
import io.cascade.kernel.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.Set;

/**
 * A file that is not whole yet. It has a name of its own in its folder, and takes its entry's in
 * {@link #commit}. What there is of a large one stays when a stream breaks off, and the next stream
 * goes on with it where the sender has the same.
 */
final class NewFile implements EntryContent {
  /** Less is not worth it. */
  static final long LEAST_KEPT_BYTES = 1 << 20;

  private final HeldFolder folder;
  private final Path part;
  private final Path target;
  private final Entry entry;
  private final boolean replaces;
  private final FileChannel channel;

  /** Bytes for which room has not been looked for yet. */
  private long unprovidedBytes;

  private NewFile(HeldFolder folder, Entry entry, boolean replaces, FileChannel channel) {
    this.folder = folder;
    this.part = part(folder, entry);
    this.target = folder.at(entry.name());
    this.entry = entry;
    this.replaces = replaces;
    this.channel = channel;
  }

  /** The name of what there is of an entry. */
  static String partName(String name) {
    String part = "." + name + Extractor.PART_SUFFIX;
    return Names.bytes(part) <= Names.MOST_NAME_BYTES
        ? part
        : "." + Digests.sha256(name).substring(0, 32) + Extractor.PART_SUFFIX;
  }

  static Path part(HeldFolder folder, Entry entry) {
    return folder.at(partName(entry.name()));
  }

  /** Whether a name may be that of what there is of an entry. */
  static boolean isPartName(String name) {
    return name.startsWith(".") && name.endsWith(Extractor.PART_SUFFIX);
  }

  /**
   * @param standing bytes of what there is with which it goes on; 0 for a new one
   * @param replaces whether a file or a link of its name gives way
   * @throws EntriesFailed where there are not so many bytes any more
   */
  static NewFile open(HeldFolder folder, Entry entry, long standing, boolean replaces)
      throws IOException {
    Path part = part(folder, entry);
    FileChannel channel = standing > 0 ? found(part, standing) : fresh(part);
    return new NewFile(folder, entry, replaces, channel);
  }

  /**
   * Looks for room before the first byte is written, so that what cannot fit does not fill the disk
   * first.
   *
   * @param bytes that will be written
   */
  NewFile expecting(long bytes) {
    unprovidedBytes = bytes >= LEAST_KEPT_BYTES ? bytes : 0;
    return this;
  }

  private void requireRoom() throws IOException {
    long needed = unprovidedBytes;
    unprovidedBytes = 0;
    long free = needed > 0 ? freeBytes() : 0;
    if (free > 0 && needed > free) {
      throw new IOException("%d bytes come, and %d are free".formatted(needed, free));
    }
  }

  /** Bytes that are free; 0 where the file system does not say. */
  private long freeBytes() {
    try {
      return Files.getFileStore(part).getUsableSpace();
    } catch (IOException e) {
      return 0;
    }
  }

  private static FileChannel found(Path part, long standing) throws IOException {
    FileChannel channel =
        FileChannel.open(part, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    if (channel.size() < standing || FileKind.hasOtherNames(part)) {
      channel.close();
      throw new EntriesFailed("what there was of it has changed; fix: send it again");
    }
    return channel.truncate(standing);
  }

  private static FileChannel fresh(Path part) throws IOException {
    Set<StandardOpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      return FileChannel.open(part, fresh, OwnerOnlyFile.attributes(part));
    } catch (FileAlreadyExistsException e) {
      Files.delete(part); // Of a stream that broke off, and not what the sender has.
      return FileChannel.open(part, fresh, OwnerOnlyFile.attributes(part));
    }
  }

  @Override
  public void write(ByteBuffer bytes, long offset) throws IOException {
    requireRoom();
    long at = offset; // Behind the end of the file it leaves a hole.
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
  }

  /**
   * Gives the file its time, its permissions and its name.
   *
   * @throws FileAlreadyExistsException where the name was taken meanwhile
   */
  @Override
  public void commit() throws IOException {
    long written = channel.size();
    if (written < entry.size()) {
      try (SparseFile holes = folder.holes(partName(entry.name()), true)) {
        holes.clear(written, entry.size() - written);
      }
    }
    channel.close();
    Files.getFileAttributeView(part, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .setTimes(FileTime.from(entry.modified()), null, null);
    FilePermissions.set(part, entry.permissions()); // Last: they may not let it be opened.
    if (replaces) {
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } else {
      FileKind.moveUnlessThere(part, target);
    }
  }

  /** Discards it. */
  @Override
  public void drop() {
    try (channel) {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      // It keeps the name that says that it is not whole.
    }
  }

  @Override
  public void leave() {
    try {
      if (channel.size() >= LEAST_KEPT_BYTES) {
        channel.close();
        return;
      }
    } catch (IOException e) {
      // It is dropped.
    }
    drop();
  }
}
