package io.cascade.client.entries;

import io.cascade.client.entries.Entry.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Text of a list of entries about which a stream asks before it sends them. For each entry it
 * holds: the kind, permissions, size, time in seconds and nanoseconds, the number of characters
 * that its path has in common with the previous one, and the rest of the path; a zero; the target
 * of a link; a zero.
 */
final class EntryList {
  /** Most characters of a list, unless its only entry is longer. */
  static final int MOST_CHARS = 16 * 1024;

  /** Entries whose path and target are longer are not asked for. */
  static final int MOST_ENTRY_CHARS = 8 * 1024;

  /**
   * Most characters of the paths and targets of one list: no more than may be asked for at a time.
   * Paths share their beginnings, so that a short list may decode to much more text.
   */
  private static final int MOST_LISTED_CHARS = AskedEntries.MOST_CHARS + MOST_ENTRY_CHARS;

  private static final int FIELDS = 7;

  private final StringBuilder text = new StringBuilder();
  private String before = "";

  boolean isEmpty() {
    return text.isEmpty();
  }

  boolean isFull() {
    return text.length() >= MOST_CHARS;
  }

  void add(Entry entry) {
    String path = entry.path();
    Instant modified = entry.modified();
    int common = common(before, path);
    text.append(letter(entry.kind()))
        .append(' ')
        .append(Integer.toOctalString(entry.mode()))
        .append(' ')
        .append(entry.size())
        .append(' ')
        .append(modified.getEpochSecond())
        .append(' ')
        .append(modified.getNano())
        .append(' ')
        .append(common)
        .append(' ')
        .append(path, common, path.length())
        .append('\0')
        .append(entry.target())
        .append('\0');
    before = path;
  }

  private static char letter(Kind kind) {
    return switch (kind) {
      case FILE -> 'f';
      case FOLDER -> 'd';
      case LINK -> 'l';
    };
  }

  private static @Nullable Kind kind(String letter) {
    return switch (letter) {
      case "f" -> Kind.FILE;
      case "d" -> Kind.FOLDER;
      case "l" -> Kind.LINK;
      default -> null;
    };
  }

  /** Length of the folders that both paths have in common. */
  private static int common(String a, String b) {
    int most = Math.min(a.length(), b.length());
    int folders = 0;
    for (int i = 0; i < most && a.charAt(i) == b.charAt(i); i++) {
      if (a.charAt(i) == '/') {
        folders = i + 1;
      }
    }
    return folders;
  }

  /** Returns the text so far and begins the next list. */
  String take() {
    String all = text.toString();
    text.setLength(0);
    before = "";
    return all;
  }

  /**
   * Parses the entries of a list.
   *
   * @throws IllegalArgumentException where the text is not a list
   */
  static List<Entry> parse(String text) {
    List<Entry> all = new ArrayList<>();
    String before = "";
    int chars = 0;
    for (int at = 0; at < text.length(); ) {
      int end = text.indexOf('\0', at);
      int last = end < 0 ? -1 : text.indexOf('\0', end + 1);
      if (last < 0) {
        throw new IllegalArgumentException("a truncated list");
      }
      Entry entry = entry(text.substring(at, end), text.substring(end + 1, last), before);
      all.add(entry);
      before = entry.path();
      chars += before.length() + entry.target().length();
      if (chars > MOST_LISTED_CHARS) {
        throw new IllegalArgumentException("more entries than may be requested at a time");
      }
      at = last + 1;
    }
    return all;
  }

  private static Entry entry(String fields, String target, String before) {
    String[] parts = fields.split(" ", FIELDS);
    Kind kind = kind(parts[0]);
    if (parts.length < FIELDS || kind == null) {
      throw new IllegalArgumentException("an entry without a kind");
    }
    int common = Integer.parseInt(parts[5]);
    int mode = Integer.parseInt(parts[1], 8);
    long size = Long.parseLong(parts[2]);
    if (common < 0 || common > before.length() || (mode & ~0777) != 0 || size < 0) {
      throw new IllegalArgumentException("an invalid entry");
    }
    String path = before.substring(0, common) + parts[6];
    if (path.length() + target.length() > MOST_ENTRY_CHARS
        || !List.of(path.split("/", -1)).stream().allMatch(Names::isName)) {
      throw new IllegalArgumentException("an entry whose name is '" + path + "'");
    }
    try {
      Instant modified =
          Instant.ofEpochSecond(Long.parseLong(parts[3]), Integer.parseInt(parts[4]));
      return new Entry(path, kind, size, modified, mode, target);
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException("a time out of range", e);
    }
  }
}
