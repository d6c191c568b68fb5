package io.cascade.orchestrator.store;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The state directory. It contains keys of hops, so only the owner may read it. The database has a
 * subdirectory, whose mode this process sets.
 */
public record StateDirectory(Path path) {
  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rwx------");

  /**
   * Creates missing directories.
   *
   * @return the directory of the database
   */
  public Path prepare() {
    Path own = path.resolve("orchestrator");
    try {
      if (Files.getFileStore(existing(path)).supportsFileAttributeView("posix")) {
        Files.createDirectories(own, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        Files.setPosixFilePermissions(own, OWNER_ONLY);
      } else {
        Files.createDirectories(own);
      }
      return own;
    } catch (IOException e) {
      throw new CommandException(
          "--state-dir " + path + ": cannot be created, or belongs to another user (" + e + ")", e);
    }
  }

  /** Creates a subdirectory that only the owner can read. */
  public Path folder(String name) {
    Path folder = prepare().resolve(name);
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new CommandException(folder + ": cannot be made (" + e + ")", e);
    }
  }

  private static Path existing(Path path) {
    Path at = path.toAbsolutePath();
    while (!Files.exists(at) && at.getParent() != null) {
      at = at.getParent();
    }
    return at;
  }
}
