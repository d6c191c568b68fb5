package io.cascade.studies.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log of a Java process that was started with {@code -Xlog:gc}.
 *
 * @param file which also has the other output of the process
 */
record PauseLog(Path file) {
  private static final String LOGGED = "[gc] Using ";
  private static final Pattern PAUSE =
      Pattern.compile("\\[gc\\s*] GC\\(\\d+\\) Pause .* (\\d+\\.\\d+)ms");

  /** Current length of the log in bytes. */
  long length() throws IOException {
    return Files.size(file);
  }

  /**
   * The longest pause that was logged after {@code offset}; 0 if there was none.
   *
   * @return milliseconds; empty if the process does not log its pauses
   */
  OptionalDouble longestMillisSince(long offset) throws IOException {
    String all = Files.readString(file, StandardCharsets.ISO_8859_1);
    if (!all.contains(LOGGED)) {
      return OptionalDouble.empty();
    }
    Matcher pauses = PAUSE.matcher(all);
    double longest = 0;
    for (boolean found = pauses.find((int) offset); found; found = pauses.find()) {
      longest = Math.max(longest, Double.parseDouble(pauses.group(1)));
    }
    return OptionalDouble.of(longest);
  }
}
