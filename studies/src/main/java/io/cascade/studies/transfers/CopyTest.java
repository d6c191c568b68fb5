package io.cascade.studies.transfers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The files to copy, and the interruption.
 *
 * @param bytes of the file; of {@link Kind#SMALL} and {@link Kind#TREE} 0
 * @param files number of small files; 0 for other kinds
 * @param killed the end that is killed; SENDER for kinds other than {@link Kind#CUT}
 * @param percent share of the file's bytes that have been sent before the kill; 0 for other kinds
 */
record CopyTest(Kind kind, long bytes, int files, Copying.End killed, int percent) {

  /** Kinds of tests. */
  enum Kind {
    /** One big file. */
    FILE,
    /** Many small files in folders. */
    SMALL,
    /** A tree with all kinds of entries of a file system. */
    TREE,
    /** One file whose sender or receiver is killed and started again by the same command. */
    CUT
  }

  static CopyTest file(long bytes) {
    return new CopyTest(Kind.FILE, bytes, 0, Copying.End.SENDER, 0);
  }

  static CopyTest small(int files) {
    return new CopyTest(Kind.SMALL, 0, files, Copying.End.SENDER, 0);
  }

  static CopyTest tree() {
    return new CopyTest(Kind.TREE, 0, 0, Copying.End.SENDER, 0);
  }

  /** Kills of either end at each of some percentages. */
  static List<CopyTest> cuts(long bytes, List<Integer> percentages) {
    List<CopyTest> cuts = new ArrayList<>();
    for (int percent : percentages) {
      for (Copying.End end : Copying.End.values()) {
        cuts.add(new CopyTest(Kind.CUT, bytes, 0, end, percent));
      }
    }
    return cuts;
  }

  /** The name in result files and tables. */
  String title() {
    return switch (kind) {
      case FILE -> "a file of " + megabytes();
      case SMALL -> String.format(Locale.ROOT, "%,d small files", files);
      case TREE -> "a tree of everything";
      case CUT ->
          "%s killed at %d %% of %s"
              .formatted(killed.name().toLowerCase(Locale.ROOT), percent, megabytes());
    };
  }

  private String megabytes() {
    return String.format(Locale.ROOT, "%,.0f MB", bytes / 1e6);
  }
}
