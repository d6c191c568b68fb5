package io.cascade.client.entries;

import java.util.List;

/**
 * Some files and links that the sender has, in the order of its walk, without their content.
 *
 * @param number of the manifest, from 0
 */
public record Manifest(long number, List<Entry> entries) {
  /** Entries of one manifest. */
  public static final int MOST_ENTRIES = 256;

  /** Characters of the paths and targets in one manifest, apart from the last entry's. */
  public static final int MOST_CHARS = 64 * 1024;

  /**
   * @throws IllegalArgumentException where there are too many
   */
  public Manifest {
    entries = List.copyOf(entries);
    if (entries.size() > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          "%d entries (expected: at most %d)".formatted(entries.size(), MOST_ENTRIES));
    }
  }
}
