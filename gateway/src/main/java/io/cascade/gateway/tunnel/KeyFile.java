package io.cascade.gateway.tunnel;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Pattern;

/** The key of a link: 32 bytes as 64 hexadecimal digits in a file that its owner alone may read. */
final class KeyFile {
  private static final Pattern FORM = Pattern.compile("[0-9a-fA-F]{64}");

  private KeyFile() {}

  /**
   * @throws CommandException that says how to make one
   */
  static byte[] read(Path file) {
    try {
      String text = Files.readString(file).strip();
      if (!FORM.matcher(text).matches()) {
        throw new CommandException(
            "%s: no key of 64 hexadecimal digits. Make one with: (umask 077; openssl rand -hex 32 > %s)"
                .formatted(file, file));
      }
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
      if (permissions.contains(PosixFilePermission.OTHERS_READ)) {
        throw new CommandException("%s: everybody may read it: chmod 600 %s".formatted(file, file));
      }
      return HexFormat.of().parseHex(text);
    } catch (IOException e) {
      throw new CommandException(
          "cannot read the key %s. Make one with: (umask 077; openssl rand -hex 32 > %s)"
              .formatted(file, file),
          e);
    }
  }
}
