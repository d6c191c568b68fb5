package io.cascade.gateway.tunnel;

import io.cascade.command.CommandException;
import io.cascade.command.KeyFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The key of a link: 32 bytes as 64 hexadecimal digits in a {@link KeyFile}. */
final class LinkKey {
  private static final Pattern FORM = Pattern.compile("[0-9a-fA-F]{64}");

  private LinkKey() {}

  /**
   * @throws CommandException that says how to make one
   */
  static byte[] read(Path file) {
    String text = new String(KeyFile.read(file), StandardCharsets.US_ASCII).strip();
    if (!FORM.matcher(text).matches()) {
      throw new CommandException(
          "%s: no key of 64 hexadecimal digits; fix: (umask 077; openssl rand -hex 32 > %s)"
              .formatted(file, file));
    }
    return HexFormat.of().parseHex(text);
  }
}
