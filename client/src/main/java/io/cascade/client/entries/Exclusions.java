package io.cascade.client.entries;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Patterns of entries that are left out. {@code *} and {@code ?} stand for characters other than a
 * slash, {@code **} for any. A pattern without a slash is compared with every name, one with a
 * slash with the path below the folder that is sent. A slash at the end restricts a pattern to
 * folders. A folder is left out with all of its content.
 */
public final class Exclusions {
  /** Leaves nothing out. */
  public static final Exclusions NONE = new Exclusions(List.of());

  private static final int MOST_PATTERNS = 1_000;
  private static final int MOST_CHARS = 1_000;

  private record Rule(Pattern pattern, boolean ofName, boolean foldersAlone) {}

  private final List<Rule> rules;

  /**
   * @throws IllegalArgumentException where there are too many, or one is empty or too long
   */
  public Exclusions(List<String> patterns) {
    if (patterns.size() > MOST_PATTERNS) {
      throw new IllegalArgumentException(
          "%d patterns (expected: at most %d)".formatted(patterns.size(), MOST_PATTERNS));
    }
    rules = patterns.stream().map(Exclusions::rule).toList();
  }

  private static Rule rule(String text) {
    boolean foldersAlone = text.endsWith("/");
    String glob = foldersAlone ? text.substring(0, text.length() - 1) : text;
    boolean ofName = glob.indexOf('/') < 0;
    if (glob.startsWith("/")) {
      glob = glob.substring(1);
    }
    if (glob.isEmpty() || glob.length() > MOST_CHARS) {
      throw new IllegalArgumentException(
          "pattern '%s' (expected: 1 to %d characters)".formatted(text, MOST_CHARS));
    }
    return new Rule(compile(glob), ofName, foldersAlone);
  }

  private static Pattern compile(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); ) {
      int c = glob.codePointAt(i);
      i += Character.charCount(c);
      if (c == '*' && glob.startsWith("*/", i)) {
        regex.append("(?:.*/)?");
        i += 2;
      } else if (c == '*' && glob.startsWith("*", i)) {
        regex.append(".*");
        i++;
      } else if (c == '*') {
        regex.append("[^/]*");
      } else if (c == '?') {
        regex.append("[^/]");
      } else {
        regex.append(Pattern.quote(Character.toString(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }

  /**
   * @param path below the folder that is sent, without that folder's own name
   */
  boolean leavesOut(String path, boolean isFolder) {
    for (Rule rule : rules) {
      String compared = rule.ofName() ? path.substring(path.lastIndexOf('/') + 1) : path;
      if ((isFolder || !rule.foldersAlone()) && rule.pattern().matcher(compared).matches()) {
        return true;
      }
    }
    return false;
  }
}
