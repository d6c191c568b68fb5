package io.cascade.client.service;

import io.cascade.command.KeyFile;
import io.cascade.command.OwnerOnlyFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The token that callers of a service present, in a file that only its user may read. */
final class ServiceToken {
  private static final int BYTES = 32;
  private static final String SCHEME = "bearer ";

  private final byte[] token;

  private ServiceToken(byte[] token) {
    this.token = token;
  }

  /**
   * Reads the token, or creates one where the file is missing.
   *
   * @throws io.cascade.command.CommandException where other users can read it
   */
  static ServiceToken in(Path file) throws IOException {
    if (!Files.exists(file)) {
      byte[] random = new byte[BYTES];
      new SecureRandom().nextBytes(random);
      OwnerOnlyFile.write(file, HexFormat.of().formatHex(random) + "\n");
    }
    String text = new String(KeyFile.read(file), StandardCharsets.UTF_8).strip();
    return new ServiceToken(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Whether a caller presented the token.
   *
   * @param authorization the header; null where there is none
   */
  boolean isIn(@Nullable String authorization) {
    if (authorization == null || !authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return false;
    }
    String given = authorization.substring(SCHEME.length()).strip();
    return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token);
  }
}
