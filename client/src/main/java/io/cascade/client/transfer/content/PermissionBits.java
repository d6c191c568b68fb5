package io.cascade.client.transfer.content;

import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Converts permissions to and from a mode, whose highest bit is the first constant, the owner's
 * read permission.
 */
public final class PermissionBits {
  private static final PosixFilePermission[] BITS = PosixFilePermission.values();
  private static final int ALL = (1 << BITS.length) - 1;
  private static final List<Set<PosixFilePermission>> SETS =
      IntStream.rangeClosed(0, ALL).mapToObj(PermissionBits::toSet).toList();

  private PermissionBits() {}

  /** The mode of a set. */
  public static int of(Set<PosixFilePermission> permissions) {
    int mode = 0;
    for (PosixFilePermission one : BITS) {
      mode = (mode << 1) | (permissions.contains(one) ? 1 : 0);
    }
    return mode;
  }

  /** The set of a mode, whose higher bits are ignored. */
  public static Set<PosixFilePermission> set(int mode) {
    return SETS.get(mode & ALL);
  }

  private static Set<PosixFilePermission> toSet(int mode) {
    Set<PosixFilePermission> set = EnumSet.noneOf(PosixFilePermission.class);
    int bit = 1 << BITS.length;
    for (PosixFilePermission one : BITS) {
      bit >>= 1;
      if ((mode & bit) != 0) {
        set.add(one);
      }
    }
    return Set.copyOf(set);
  }
}
