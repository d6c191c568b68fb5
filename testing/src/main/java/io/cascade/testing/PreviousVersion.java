package io.cascade.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Documents written by the previous version, in the folder {@code previous}. They are replaced by
 * those of this version when the next one begins.
 */
public final class PreviousVersion {
  private PreviousVersion() {}

  /** Text of a document, such as {@code registration.json}. */
  public static String document(String name) {
    try (InputStream text =
        Objects.requireNonNull(
            PreviousVersion.class.getResourceAsStream("previous/" + name), name)) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
