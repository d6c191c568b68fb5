package io.cascade.client.entries;

import io.cascade.client.transfer.content.PermissionBits;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.Set;

/**
 * A file, a folder or a symbolic link of a tree.
 *
 * @param path its names below the destination, separated by {@code /}
 * @param size bytes of a file; 0 for others
 * @param modified time of modification
 * @param mode permission bits, at most 0777
 * @param target of a symbolic link; empty for others
 */
public record Entry(String path, Kind kind, long size, Instant modified, int mode, String target) {
  /** Kinds of entries. */
  public enum Kind {
    FILE,
    FOLDER,
    LINK
  }

  /** Last name of the path. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * Whether size, time of modification and target of both are equal, so that the content is
   * probably the same.
   */
  boolean looksLike(Entry other) {
    return kind == other.kind
        && size == other.size
        && modified.equals(other.modified)
        && target.equals(other.target);
  }

  Set<PosixFilePermission> permissions() {
    return PermissionBits.set(mode);
  }
}
