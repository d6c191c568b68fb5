package io.cascade.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that a user may have meant by a mistyped one. */
final class Suggestion {
  private Suggestion() {}

  /**
   * The known word with the least edit distance; empty where that is more than a third of its
   * length.
   */
  static Optional<String> nearest(String typed, Collection<String> known) {
    return known.stream()
        .filter(word -> distance(typed, word) <= Math.max(1, (word.length() + 1) / 3))
        .min(
            Comparator.comparingInt((String word) -> distance(typed, word))
                .thenComparing(Comparator.naturalOrder()));
  }

  /** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
  static int distance(String from, String to) {
    int[][] least = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          least[i][j] = i + j;
          continue;
        }
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        least[i][j] =
            Math.min(
                least[i - 1][j - 1] + (same ? 0 : 1),
                1 + Math.min(least[i - 1][j], least[i][j - 1]));
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          least[i][j] = Math.min(least[i][j], least[i - 2][j - 2] + 1);
        }
      }
    }
    return least[from.length()][to.length()];
  }
}
