package io.cascade.command;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Small files with secrets: of mode 0600 from their creation, in folders of mode 0700 where these
 * have to be created, and replaced atomically.
 */
public final class OwnerOnlyFile {
  private static final FileAttribute<?>[] FILE = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };
  private static final FileAttribute<?>[] FOLDER = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
  };

  private OwnerOnlyFile() {}

  /** Creates the folder of a file, if missing. */
  public static void makeFolder(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      Files.createDirectories(folder, hasModes(folder) ? FOLDER : none());
    }
  }

  /** Attributes of a new file that only its owner may read. */
  public static FileAttribute<?>[] attributes(Path file) {
    return hasModes(file) ? FILE : none();
  }

  /**
   * Replaces a file. Its content is on disk when this returns.
   *
   * @throws IOException where it cannot be written, or is not a regular file
   */
  public static void write(Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(fresh); // Left by a process that was killed here.
    try (FileChannel channel =
        FileChannel.open(
            fresh,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            attributes(file))) {
      ByteBuffer left = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (left.hasRemaining()) {
        channel.write(left);
      }
      channel.force(true);
    }
    FileKind.requireReplaceable(file);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    forceName(file);
  }

  /**
   * Forces the name of a file to disk: otherwise its folder may have its previous content after a
   * power failure.
   *
   * @throws IOException where the folder cannot be read, or the disk fails
   */
  public static void forceName(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && hasModes(file)) {
      try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }

  /**
   * Reads a whole file.
   *
   * @return null where it does not exist
   * @throws IOException where it cannot be read, or is longer
   */
  public static @Nullable String read(Path file, int mostBytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      if (channel.size() > mostBytes) {
        throw new FileSystemException(file.toString(), null, "too long");
      }
      ByteBuffer read = ByteBuffer.allocate((int) channel.size());
      while (read.hasRemaining() && channel.read(read) >= 0) {
        // Until the end.
      }
      return new String(read.array(), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static boolean hasModes(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?>[] none() {
    return new FileAttribute<?>[0];
  }
}
