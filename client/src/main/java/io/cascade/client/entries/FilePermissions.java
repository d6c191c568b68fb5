package io.cascade.client.entries;

import io.cascade.kernel.Descriptor;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Permissions of a file itself, and not of the target of a symbolic link that another user may have
 * put in its place since it was checked. The JDK follows links here, even with {@link
 * java.nio.file.LinkOption#NOFOLLOW_LINKS}.
 */
public final class FilePermissions {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private FilePermissions() {}

  /**
   * Sets the permissions. The file is opened by O_PATH, so that read permission is not needed.
   * Without {@code /proc}, the file is checked before.
   *
   * @throws IOException where it is a link, or belongs to another user
   * @throws UnsupportedOperationException where its file system has no such permissions
   */
  public static void set(Path file, Set<PosixFilePermission> permissions) throws IOException {
    if (Files.isSymbolicLink(file)) {
      throw new FileSystemException(file.toString(), null, "is a symbolic link");
    }
    if (!Files.isDirectory(DESCRIPTORS)) {
      Files.setPosixFilePermissions(file, permissions);
      return;
    }
    try (Descriptor open =
        Descriptor.open(
            Names.rawBytes(file.toAbsolutePath()),
            Descriptor.O_PATH | Descriptor.O_NOFOLLOW,
            file.toString())) {
      set(open, permissions);
    }
  }

  /**
   * The kernel resolves the path to the open file (proc(5)); for an open link this fails, since
   * links have no permissions.
   */
  static void set(Descriptor open, Set<PosixFilePermission> permissions) throws IOException {
    Files.setPosixFilePermissions(
        DESCRIPTORS.resolve(Integer.toString(open.number())), permissions);
  }
}
