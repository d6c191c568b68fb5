package io.cascade.client.entries;

import io.cascade.kernel.Descriptor;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;

/**
 * Permissions of a file itself, and not of what a symbolic link in its place names, which somebody
 * else may have put there since it was looked at. The JDK follows links here, also with {@link
 * java.nio.file.LinkOption#NOFOLLOW_LINKS}.
 */
public final class FilePermissions {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private FilePermissions() {}

  /**
   * Sets them. The file is opened for its name alone, so that nobody needs to be allowed to read
   * it. Where there is no {@code /proc}, it is looked at before.
   *
   * @throws IOException where it is a link, or another user's
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

  /** The kernel resolves the path to what is open (proc(5)); of a link that has no permissions. */
  static void set(Descriptor open, Set<PosixFilePermission> permissions) throws IOException {
    Files.setPosixFilePermissions(
        DESCRIPTORS.resolve(Integer.toString(open.number())), permissions);
  }
}
