package io.cascade.client.entries;

import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A file, a folder or a symbolic link of a tree.
 *
 * @param path its names below the destination, separated by {@code /}
 * @param size bytes of a file; 0 for others
 * @param modified time of modification
 * @param mode permission bits, at most 0777
 * @param target what a symbolic link says; empty for others
 */
public record Entry(String path, Kind kind, long size, Instant modified, int mode, String target) {
  /** Kinds of entries. */
  public enum Kind {
    FILE,
    FOLDER,
    LINK
  }

  private static final int PERMISSIONS = 0777;
  private static final PosixFilePermission[] BITS = PosixFilePermission.values();
  private static final List<Set<PosixFilePermission>> SETS =
      IntStream.rangeClosed(0, PERMISSIONS).mapToObj(Entry::toSet).toList();

  /** Last name of the path. */
  String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** Whether both have the same content as far as size, time of modification and target tell. */
  boolean looksLike(Entry other) {
    return kind == other.kind
        && size == other.size
        && modified.equals(other.modified)
        && target.equals(other.target);
  }

  Set<PosixFilePermission> permissions() {
    return SETS.get(mode & PERMISSIONS);
  }

  /** Bits of permissions: the first constant is the highest bit, that the owner may read. */
  static int mode(Set<PosixFilePermission> permissions) {
    int mode = 0;
    for (PosixFilePermission one : BITS) {
      mode = (mode << 1) | (permissions.contains(one) ? 1 : 0);
    }
    return mode;
  }

  private static Set<PosixFilePermission> toSet(int mode) {
    Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
    int bit = 1 << (BITS.length - 1);
    for (PosixFilePermission one : BITS) {
      if ((mode & bit) != 0) {
        set.add(one);
      }
      bit >>= 1;
    }
    return Set.copyOf(set);
  }
}
