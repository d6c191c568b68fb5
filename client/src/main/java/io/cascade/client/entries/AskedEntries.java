package io.cascade.client.entries;

import io.cascade.client.entries.StandingEntry.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks the receiver which of the coming entries it has, so far ahead that the answers have arrived
 * when the entries are to be sent. It walks the same tree a second time and holds the entries that
 * are asked for and not yet sent. The first request is small enough for TCP's initial window (RFC
 * 6928), so that the first answer takes one round trip; each answered entry allows three more.
 * Guarded by the stream's lock.
 */
final class AskedEntries implements AutoCloseable {
  /** Most entries that are asked for and not sent: at 160 ms, 100,000 a second. */
  static final int MOST_ENTRIES = 16_384;

  /** Most characters of their paths and targets. */
  static final int MOST_CHARS = 4 << 20;

  private static final int FIRST_ENTRIES = 128;
  private static final int MORE_WITH_EACH = 3;

  private final EntryWalk walk;
  private final LinkedHashMap<Long, Asked> asked = new LinkedHashMap<>();
  private final Deque<String> lists = new ArrayDeque<>();
  private final EntryList list = new EntryList();
  private int window = FIRST_ENTRIES;
  private int chars;
  private long numbers;
  private @Nullable Entry ahead;

  private static final class Asked {
    private final Entry entry;
    private @Nullable StandingEntry answer;

    Asked(Entry entry) {
      this.entry = entry;
    }

    int chars() {
      return entry.path().length() + entry.target().length();
    }
  }

  /** An answer, and the number of its entry; -1 where the entry was not asked for. */
  record Answer(long number, StandingEntry standing) {
    private static final Answer NOT_ASKED = new Answer(-1, StandingEntry.OTHER);
  }

  /**
   * @param walk at its beginning; closed with this object
   */
  AskedEntries(EntryWalk walk) {
    this.walk = walk;
    this.ahead = walk.next();
  }

  /**
   * What the receiver has of the next entry of the stream.
   *
   * @return null as long as the receiver has not answered
   */
  @Nullable Answer of(Entry entry) {
    Map.Entry<Long, Asked> first = asked.firstEntry();
    while (first != null && Names.comparePaths(first.getValue().entry.path(), entry.path()) < 0) {
      remove(first); // The entry no longer exists.
      first = asked.firstEntry();
    }
    while (ahead != null && Names.comparePaths(ahead.path(), entry.path()) < 0) {
      ahead = walk.next();
    }
    askOn();
    first = asked.firstEntry();
    if (first == null || !first.getValue().entry.path().equals(entry.path())) {
      return Answer.NOT_ASKED;
    }
    StandingEntry answer = first.getValue().answer;
    if (answer == null) {
      return null;
    }
    remove(first);
    boolean isSame =
        first.getValue().entry.looksLike(entry) && first.getValue().entry.mode() == entry.mode();
    return isSame ? new Answer(first.getKey(), answer) : Answer.NOT_ASKED;
  }

  private void remove(Map.Entry<Long, Asked> first) {
    asked.remove(first.getKey());
    chars -= first.getValue().chars();
  }

  /** Asks for many entries at a time, so that the lists are long. */
  private void askOn() {
    if (ahead == null || asked.size() > window - window / 4 || chars > MOST_CHARS / 4 * 3) {
      return;
    }
    while (ahead != null && asked.size() < window && chars < MOST_CHARS) {
      Asked next = new Asked(ahead);
      if (next.chars() <= EntryList.MOST_ENTRY_CHARS) {
        asked.put(numbers++, next);
        chars += next.chars();
        list.add(ahead);
        if (list.isFull()) {
          lists.add(list.take());
        }
      }
      ahead = walk.next();
    }
    if (!list.isEmpty()) {
      lists.add(list.take());
    }
  }

  /**
   * The next list to ask the receiver about, before anything else is sent; null where there is
   * none.
   */
  @Nullable String list() {
    return lists.poll();
  }

  /** Records the receiver's answers for entries from this number on. */
  void answered(long first, List<StandingEntry> answers) {
    for (int i = 0; i < answers.size(); i++) {
      Asked one = asked.get(first + i);
      if (one != null) {
        one.answer = answers.get(i);
        if (answers.get(i).kind() == Kind.NOTHING && one.entry.kind() == Entry.Kind.FOLDER) {
          leave(one.entry);
        }
      }
    }
    window = Math.min(window + MORE_WITH_EACH * answers.size(), MOST_ENTRIES);
  }

  /** Skips the entries in a folder that the receiver does not have: they are not asked for. */
  private void leave(Entry folder) {
    Entry next = ahead;
    if (next != null && next.path().startsWith(folder.path() + "/")) {
      walk.leave(folder.path());
      ahead = walk.next();
    }
  }

  /** Treats the entries whose answers were lost as ones that the receiver does not have. */
  void lost() {
    for (Asked one : asked.values()) {
      if (one.answer == null) {
        one.answer = StandingEntry.OTHER;
      }
    }
  }

  @Override
  public void close() {
    walk.close();
  }
}
