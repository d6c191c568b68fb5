package io.cascade.client.entries;

import io.cascade.command.FileKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A file that is not whole yet. It has a name that users give no file, and takes its own in {@link
 * #commit}. Two receivers never write to one destination, and a stream writes one file at a time:
 * one name for all of a folder is enough.
 */
final class NewFile implements EntryContent {
  static final String NAME = ".cascade-part";

  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path part;
  private final Path target;
  private final Entry entry;
  private final boolean replaces;
  private final FileChannel channel;

  private NewFile(Path part, Path target, Entry entry, boolean replaces, FileChannel channel) {
    this.part = part;
    this.target = target;
    this.entry = entry;
    this.replaces = replaces;
    this.channel = channel;
  }

  /**
   * @param replaces whether a file or a link of its name gives way
   */
  static NewFile create(HeldFolder folder, Entry entry, boolean replaces) throws IOException {
    Path part = folder.at(NAME);
    return new NewFile(part, folder.at(entry.name()), entry, replaces, open(part));
  }

  private static FileChannel open(Path part) throws IOException {
    Set<StandardOpenOption> fresh = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try {
      return FileChannel.open(part, fresh, PRIVATE);
    } catch (FileAlreadyExistsException e) {
      Files.delete(part); // Left by a receiver that was killed.
      return FileChannel.open(part, fresh, PRIVATE);
    }
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  /**
   * Gives the file its time, its permissions and its name.
   *
   * @throws FileAlreadyExistsException where the name was taken meanwhile
   */
  @Override
  public void commit() throws IOException {
    channel.close();
    PosixFileAttributeView attributes =
        Files.getFileAttributeView(part, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    attributes.setTimes(FileTime.from(entry.modified()), null, null);
    attributes.setPermissions(entry.permissions()); // Last: they may not let it be opened.
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
}
