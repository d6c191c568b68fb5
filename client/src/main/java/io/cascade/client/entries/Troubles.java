package io.cascade.client.entries;

import io.cascade.command.Printable;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries that were not transferred, by name and reason. All are counted, the first hundred are
 * kept.
 */
public final class Troubles {
  private static final int MOST_KEPT = 100;

  private final List<String> lines = new ArrayList<>();
  private long count;

  void add(String path, String reason) {
    count++;
    if (lines.size() < MOST_KEPT) {
      lines.add(Printable.line(path + ": " + reason));
    }
  }

  void addUnnamed(long more) {
    count += more;
  }

  /** Number of such entries. */
  public long count() {
    return count;
  }

  /** One printable line for each of the first hundred, and how many more there were. */
  public List<String> lines() {
    List<String> all = new ArrayList<>(lines);
    if (count > lines.size()) {
      all.add("and " + (count - lines.size()) + " more");
    }
    return all;
  }
}
