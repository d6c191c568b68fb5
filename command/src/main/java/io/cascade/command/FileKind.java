package io.cascade.command;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Kind of file at a path that the user gave, checked before it is replaced or removed. A rename or
 * an unlink does not check: a process of root that renames a file onto {@code /dev/null} removes
 * the device for the whole machine.
 */
public enum FileKind {
  ABSENT("nothing"),
  REGULAR("a file"),
  SOCKET("a socket"),
  SYMBOLIC_LINK("a symbolic link"),
  FOLDER("a folder"),
  OTHER("a device or a named pipe");

  private static final int TYPE_MASK = 0170000; // S_IFMT of stat(2)
  private static final int SOCKET_TYPE = 0140000; // S_IFSOCK

  private final String words;

  FileKind(String words) {
    this.words = words;
  }

  /** Returns the kind of the file at a path; links are not followed. */
  public static FileKind at(Path path) throws IOException {
    if (Files.isSymbolicLink(path)) {
      return SYMBOLIC_LINK;
    }
    if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return REGULAR;
    }
    if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      return FOLDER;
    }
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? special(path) : ABSENT;
  }

  private static FileKind special(Path path) throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return OTHER;
    }
    try {
      Object mode = Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      return ((Integer) mode & TYPE_MASK) == SOCKET_TYPE ? SOCKET : OTHER;
    } catch (NoSuchFileException e) {
      return ABSENT;
    }
  }

  /**
   * Checks that a rename onto the path would replace a regular file or nothing.
   *
   * @throws FileSystemException where another kind of file exists there; its reason names the kind
   */
  public static void requireReplaceable(Path path) throws IOException {
    FileKind kind = at(path);
    if (kind != ABSENT && kind != REGULAR) {
      throw new FileSystemException(path.toString(), null, "is " + kind.words + ", not a file");
    }
  }

  /**
   * Renames a file, unless the new name is taken. Uses a hard link, which fails where the name is
   * taken, unlike a rename.
   *
   * @throws FileAlreadyExistsException where the name is taken
   */
  public static void moveUnlessThere(Path from, Path to) throws IOException {
    try {
      Files.createLink(to, from);
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.move(from, to); // A file system without hard links: checked, then renamed.
      return;
    }
    Files.deleteIfExists(from);
  }

  /**
   * Whether a file has another name as well, such as one that {@link #moveUnlessThere} gave it
   * before its process was killed: writing to it would change the file of that name. False where it
   * does not exist, or its file system cannot tell.
   */
  public static boolean hasOtherNames(Path file) throws IOException {
    try {
      return file.getFileSystem().supportedFileAttributeViews().contains("unix")
          && (int) Files.getAttribute(file, "unix:nlink", LinkOption.NOFOLLOW_LINKS) > 1;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /**
   * Removes a socket that its listener left. Does nothing if there is none.
   *
   * @throws FileSystemException where another kind of file exists there, which stays
   */
  public static void removeSocket(Path path) throws IOException {
    FileKind kind = at(path);
    if (kind == SOCKET) {
      Files.deleteIfExists(path);
    } else if (kind != ABSENT) {
      throw new FileSystemException(path.toString(), null, "is " + kind.words + ", not a socket");
    }
  }
}
