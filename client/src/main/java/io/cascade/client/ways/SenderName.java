package io.cascade.client.ways;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Name by which a sender with a key introduces itself for its receiver's log. */
final class SenderName {
  private static final Path HOST = Path.of("/proc/sys/kernel/hostname");

  private SenderName() {}

  /** {@code user@host}, without a name lookup. */
  static String ofThisUser() {
    return System.getProperty("user.name", "unknown") + "@" + host();
  }

  private static String host() {
    try {
      return Files.readString(HOST, StandardCharsets.ISO_8859_1).strip();
    } catch (IOException e) {
      return System.getenv().getOrDefault("HOSTNAME", "unknown"); // Not Linux.
    }
  }
}
