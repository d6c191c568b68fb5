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
 * An incomplete file. It has a temporary name in its folder and gets the entry's name in {@link
 * #commit}. When a stream breaks off, the received part of a large file is kept, and the next
 * stream continues it if the sender has the same bytes.
 */
final class NewFile implements EntryContent {
  /** A smaller part is not kept. */
  static final long LEAST_KEPT_BYTES = 1 << 20;

  private final HeldFolder folder;
  private final Path part;
  private final Path target;
  private final Entry entry;
  private final boolean replaces;
  private final FileChannel channel;

  /** Bytes whose disk space has not been checked yet. */
  private long unprovidedBytes;

  private NewFile(HeldFolder folder, Entry entry, boolean replaces, FileChannel channel) {
    this.folder = folder;
    this.part = part(folder, entry);
    this.target = folder.at(entry.name());
    this.entry = entry;
    this.replaces = replaces;
    this.channel = channel;
  }

  /** The temporary name of an entry's file. */
  static String partName(String name) {
    String part = "." + name + Extractor.PART_SUFFIX;
    return Names.bytes(part) <= Names.MOST_NAME_BYTES
        ? part
        : "." + Digests.sha256(name).substring(0, 32) + Extractor.PART_SUFFIX;
  }

  static Path part(HeldFolder folder, Entry entry) {
    return folder.at(partName(entry.name()));
  }

  /** Whether a name may be the temporary name of an entry's file. */
  static boolean isPartName(String name) {
    return name.startsWith(".") && name.endsWith(Extractor.PART_SUFFIX);
  }

  /**
   * @param standing bytes of the kept part to continue from; 0 for a new file
   * @param replaces whether an existing file or link of its name is replaced
   * @throws EntriesFailed where the kept part is shorter than that
   */
  static NewFile open(HeldFolder folder, Entry entry, long standing, boolean replaces)
      throws IOException {
    Path part = part(folder, entry);
    FileChannel channel = standing > 0 ? found(part, standing) : fresh(part);
    return new NewFile(folder, entry, replaces, channel);
  }

  /**
   * Checks for free space before the first byte is written, so that content that cannot fit does
   * not fill the disk first.
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
      throw new IOException("%d bytes are needed, and %d are free".formatted(needed, free));
    }
  }

  /** Free bytes; 0 where the file system does not report them. */
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
      throw new EntriesFailed("its partial copy has changed; fix: send it again");
    }
    return channel.truncate(standing);
  }

  private static FileChannel fresh(Path part) throws IOException {
    Set<StandardOpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      return FileChannel.open(part, fresh, OwnerOnlyFile.attributes(part));
    } catch (FileAlreadyExistsException e) {
      // Left by a stream that broke off, and different from what the sender has.
      Files.delete(part);
      return FileChannel.open(part, fresh, OwnerOnlyFile.attributes(part));
    }
  }

  @Override
  public void write(ByteBuffer bytes, long offset) throws IOException {
    requireRoom();
    long at = offset; // Writing behind the end of the file leaves a hole.
    while (bytes.hasRemaining()) {
      at += channel.write(bytes, at);
    }
  }

  /**
   * Sets the file's time, permissions and name.
   *
   * @throws FileAlreadyExistsException where the name was taken during the transfer
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
    // Last, since the permissions may prevent opening it.
    FilePermissions.set(part, entry.permissions());
    if (replaces) {
      Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    } else {
      FileKind.moveUnlessThere(part, target);
    }
  }

  /** Deletes the file. */
  @Override
  public void drop() {
    try (channel) {
      Files.deleteIfExists(part);
    } catch (IOException e) {
      // The file keeps its temporary name, which marks it as incomplete.
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
      // The file is being discarded anyway.
    }
    drop();
  }
}
