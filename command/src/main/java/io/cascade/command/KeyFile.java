package io.cascade.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** A file with a key, which only its owner may read and write. */
public final class KeyFile {
  /** A shorter key could be guessed. */
  private static final int LEAST_BYTES = 16;

  /** A longer file is not a key. */
  private static final int MOST_BYTES = 64 * 1_024;

  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private KeyFile() {}

  /**
   * Reads the key.
   *
   * @return 16 bytes to 64 KiB
   * @throws CommandException where it cannot be read, other users can read it, or it is too short
   *     or too long; the message says how to make one
   */
  public static byte[] read(Path file) {
    String make = "(umask 077; openssl rand -hex 32 > %s)".formatted(file);
    try {
      if (Files.getFileStore(file).supportsFileAttributeView("posix")
          && Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
        throw new CommandException(
            "key file: other users can read or write %s; fix: chmod 600 %s".formatted(file, file));
      }
      byte[] key;
      try (var in = Files.newInputStream(file)) {
        key = in.readNBytes(MOST_BYTES + 1);
      }
      if (key.length < LEAST_BYTES || key.length > MOST_BYTES) {
        throw new CommandException(
            "key file: %s is too %s (expected: %d bytes to 64 KiB); fix: %s"
                .formatted(file, key.length < LEAST_BYTES ? "short" : "long", LEAST_BYTES, make));
      }
      return key;
    } catch (IOException e) {
      throw new CommandException("key file: cannot read %s; fix: %s".formatted(file, make), e);
    }
  }
}
