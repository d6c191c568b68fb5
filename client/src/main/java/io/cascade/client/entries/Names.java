package io.cascade.client.entries;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Names of entries: UTF-8, whatever the locale of the process. A file system's names are bytes, and
 * a {@link Path} yields them as text only where the locale can express them; as a URI it yields all
 * of them.
 */
final class Names {
  /** NAME_MAX of Linux. */
  static final int MOST_NAME_BYTES = 255;

  /** Levels of folders, each of which is held open while entries below it are made. */
  static final int MOST_LEVELS = 256;

  static final int MOST_PATH_BYTES = MOST_LEVELS * (MOST_NAME_BYTES + 1);

  /** PATH_MAX of Linux, without the final zero. */
  static final int MOST_TARGET_BYTES = 4095;

  private static final Path TOP = Path.of("/");
  private static final String UNRESERVED = "-._~";

  private Names() {}

  /** The last name of a path; empty where it is not UTF-8. */
  static Optional<String> last(Path path) {
    Path name = path.getFileName();
    return name == null ? Optional.empty() : text(name);
  }

  /** A relative path or an absolute one as text; empty where it is not UTF-8. */
  static Optional<String> text(Path path) {
    String text = path.toString();
    if (isAscii(text)) {
      return Optional.of(text);
    }
    byte[] raw = rawBytes(TOP.resolve(path));
    int from = path.isAbsolute() ? 0 : 1;
    return utf8(ByteBuffer.wrap(raw, from, raw.length - from));
  }

  /** Bytes of an absolute path. */
  static byte[] rawBytes(Path absolute) {
    String text = absolute.toString();
    if (isAscii(text)) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
    String escaped = absolute.toUri().getRawPath();
    // The URI ends in a slash if the path is a folder at this moment.
    int end = escaped.endsWith("/") ? escaped.length() - 1 : escaped.length();
    ByteBuffer raw = ByteBuffer.allocate(end);
    for (int i = 0; i < end; i++) {
      char c = escaped.charAt(i);
      if (c == '%') {
        raw.put((byte) Integer.parseInt(escaped, i + 1, i + 3, 16));
        i += 2;
      } else {
        raw.put((byte) c);
      }
    }
    byte[] bytes = new byte[raw.position()];
    raw.flip().get(bytes);
    return bytes;
  }

  /** Decodes bytes; empty where they are not UTF-8. */
  static Optional<String> utf8(ByteBuffer bytes) {
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** The path of a name in a folder. */
  static Path child(Path folder, String name) {
    if (isAscii(name)) {
      return folder.resolve(name);
    }
    return folder.resolve(relative(name));
  }

  /** A relative path of one name or several, or an absolute one. */
  static Path path(String text) {
    if (isAscii(text)) {
      return Path.of(text);
    }
    return text.startsWith("/") ? absolute(text) : relative(text);
  }

  private static Path relative(String text) {
    Path absolute = absolute("/" + text);
    return absolute.subpath(0, absolute.getNameCount());
  }

  private static Path absolute(String text) {
    StringBuilder escaped = new StringBuilder("file://");
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c == '/' || (c < 128 && Character.isLetterOrDigit(c)) || UNRESERVED.indexOf(c) >= 0) {
        escaped.append(c);
      } else {
        escaped.append('%').append("%02X".formatted((int) c));
      }
    }
    return Path.of(URI.create(escaped.toString()));
  }

  /**
   * Whether it can be the name of an entry: a single name, and neither a folder itself nor its
   * parent.
   */
  static boolean isName(String name) {
    return !name.isEmpty()
        && !name.equals(".")
        && !name.equals("..")
        && name.indexOf('/') < 0
        && name.indexOf('\0') < 0
        && isShortEnough(name);
  }

  private static boolean isShortEnough(String name) {
    return name.length() <= MOST_NAME_BYTES / 3 || bytes(name) <= MOST_NAME_BYTES;
  }

  static int bytes(String text) {
    return isAscii(text) ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
  }

  static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 128) {
        return false;
      }
    }
    return true;
  }

  /** Order of the names' UTF-8 bytes, which is that of their code points. */
  static int compare(String a, String b) {
    int common = Math.min(a.length(), b.length());
    for (int i = 0; i < common; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean bothOrNone = Character.isSurrogate(x) == Character.isSurrogate(y);
        // A surrogate is half of a code point above all others.
        return bothOrNone ? Character.compare(x, y) : Character.isSurrogate(x) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  /**
   * Order in which a walk reaches two paths: depth first, the names of each folder by {@link
   * #compare}, a folder before its content.
   */
  static int comparePaths(String a, String b) {
    int start = 0;
    while (true) {
      int endA = end(a, start);
      int endB = end(b, start);
      int order = compare(a.substring(start, endA), b.substring(start, endB));
      if (order != 0) {
        return order;
      }
      if (endA == a.length() || endB == b.length()) {
        return Integer.compare(a.length(), b.length());
      }
      start = endA + 1;
    }
  }

  private static int end(String path, int start) {
    int slash = path.indexOf('/', start);
    return slash < 0 ? path.length() : slash;
  }
}
