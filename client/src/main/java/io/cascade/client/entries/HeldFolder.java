package io.cascade.client.entries;

import io.cascade.kernel.Descriptor;
import io.cascade.kernel.SparseFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/**
 * A folder that is held open, so that operations act on this folder even if another process renames
 * it or puts a symbolic link in its place.
 *
 * <p>The JDK's {@link java.nio.file.SecureDirectoryStream} is similar, but creates neither folders
 * nor links. This folder is opened by {@code openat} with O_NOFOLLOW, and its path is {@code
 * /proc/self/fd/N}, which the kernel resolves to the open folder itself (proc(5)). Linux only.
 */
final class HeldFolder implements AutoCloseable {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /** Mode of a folder that is being created: no other user gets in, and the sticky bit marks it. */
  private static final int IN_THE_MAKING = 01700;

  private final Descriptor descriptor;
  private final Path path;

  private HeldFolder(Descriptor descriptor) {
    this.descriptor = descriptor;
    this.path = DESCRIPTORS.resolve(Integer.toString(descriptor.number()));
  }

  /**
   * Opens a folder that the user named; symbolic links in its path are followed.
   *
   * @throws IOException where it does not exist, or the system is not Linux
   */
  static HeldFolder open(Path folder) throws IOException {
    if (!Files.isDirectory(DESCRIPTORS)) {
      throw new EntriesFailed(
          folder + " cannot be held open: folders need Linux with /proc; fix: mount it");
    }
    return new HeldFolder(
        Descriptor.open(
            Names.rawBytes(folder.toAbsolutePath()),
            Descriptor.O_PATH | Descriptor.O_DIRECTORY,
            folder.toString()));
  }

  /**
   * Opens a folder in this one.
   *
   * @throws NotDirectoryException where the name is not a folder but, for example, a symbolic link
   */
  HeldFolder folder(String name) throws IOException {
    return new HeldFolder(
        descriptor.openIn(
            bytes(name), Descriptor.O_PATH | Descriptor.O_DIRECTORY | Descriptor.O_NOFOLLOW, name));
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Creates a folder in this one that is {@link #isInTheMaking}.
   *
   * @throws java.nio.file.FileAlreadyExistsException where the name is taken
   */
  void make(String name) throws IOException {
    descriptor.makeFolder(bytes(name), IN_THE_MAKING, name);
  }

  /**
   * Whether a receiver created the folder and ended before it set its permissions and time. Folders
   * of a sender get no sticky bit here, so that no stream leaves a folder with this mode.
   */
  boolean isInTheMaking() throws IOException {
    return ((int) Files.getAttribute(path, "unix:mode") & 07777) == IN_THE_MAKING;
  }

  /** The holes of a file in this folder, to be searched for or, where {@code toWrite}, punched. */
  SparseFile holes(String name, boolean toWrite) throws IOException {
    return SparseFile.in(descriptor, bytes(name), toWrite, name);
  }

  /** Path of the folder in this process, valid while it is open. */
  Path path() {
    return path;
  }

  /** Path of a name in it; to be used without following links. */
  Path at(String name) {
    return Names.child(path, name);
  }

  @Override
  public void close() {
    descriptor.close();
  }
}
