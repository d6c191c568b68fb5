package io.cascade.client.transfer;

import io.cascade.client.entries.Extractor;
import io.cascade.command.Printable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Names under which files arrive: unchanged, or not at all. Allowed is every name of 1 to {@value
 * #MOST_BYTES} bytes of UTF-8 without '/', control characters (newline, TAB, ESC among them) and
 * characters that change the direction of text, except {@code .}, {@code ..} and the names of the
 * receiver's own files. Joiners, which are part of words, backslashes and leading dots are allowed.
 */
public final class FileName {
  /** Suffix of the name of an incomplete file; a dot precedes the name. */
  public static final String PART_SUFFIX = ".cascade-part";

  /** Suffix of the name of the journal of a part file. */
  public static final String JOURNAL_SUFFIX = ".cascade-journal";

  private static final int MOST_BYTES = 255;

  /** U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069 and U+061C. */
  private static final String DIRECTIONS =
      "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

  private FileName() {}

  /**
   * Returns why a file may not arrive under a name, as the end of a sentence with the name in it;
   * null where it may.
   */
  public static @Nullable String objection(String name) {
    String why = why(name);
    return why == null
        ? null
        : "the name '%s' %s; fix: send --name NAME".formatted(Printable.line(name), why);
  }

  private static @Nullable String why(String name) {
    int bytes;
    try {
      ByteBuffer encoded =
          StandardCharsets.UTF_8.newEncoder().encode(java.nio.CharBuffer.wrap(name));
      bytes = encoded.remaining();
    } catch (CharacterCodingException e) {
      return "is not UTF-8";
    }
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      return "is not that of a file";
    }
    if (bytes > MOST_BYTES) {
      return "has %d bytes (expected: at most %d)".formatted(bytes, MOST_BYTES);
    }
    if (name.indexOf('/') >= 0) {
      return "has a /";
    }
    if (name.endsWith(PART_SUFFIX)
        || name.endsWith(JOURNAL_SUFFIX)
        || name.endsWith(Extractor.PART_SUFFIX)) {
      return "is that of a file that is arriving";
    }
    return name.codePoints()
        .filter(FileName::isRefused)
        .boxed()
        .findFirst()
        .map(point -> "has the control character U+%04X".formatted(point))
        .orElse(null);
  }

  private static boolean isRefused(int point) {
    int type = Character.getType(point);
    return type == Character.CONTROL
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR
        || DIRECTIONS.indexOf(point) >= 0;
  }
}
