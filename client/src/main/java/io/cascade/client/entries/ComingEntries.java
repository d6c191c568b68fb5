package io.cascade.client.entries;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Entries that a sender has asked for, until the stream reaches them. One thread compares them with
 * the destination, another one creates what the stream brings.
 */
final class ComingEntries {
  /**
   * Twice the sender's limit: some of the entries may no longer exist at the sender, which does not
   * report that.
   */
  private static final int MOST_ENTRIES = 2 * AskedEntries.MOST_ENTRIES;

  private static final int MOST_CHARS = 2 * (AskedEntries.MOST_CHARS + EntryList.MOST_ENTRY_CHARS);

  private final LinkedHashMap<Long, Entry> coming = new LinkedHashMap<>();
  private final Deque<Numbered> unlooked = new ArrayDeque<>();
  private long numbers;
  private int chars;
  private boolean closed;

  record Numbered(long number, Entry entry) {}

  /**
   * @return whether the entries held are within what a sender may ask for
   */
  synchronized boolean add(List<Entry> entries) {
    for (Entry entry : entries) {
      coming.put(numbers, entry);
      unlooked.add(new Numbered(numbers++, entry));
      chars += chars(entry);
    }
    notifyAll();
    return coming.size() <= MOST_ENTRIES && chars <= MOST_CHARS;
  }

  private static int chars(Entry entry) {
    return entry.path().length() + entry.target().length();
  }

  /** Removes the entries up to one that the stream has reached. */
  synchronized void passed(Entry entry) {
    Map.Entry<Long, Entry> first = coming.firstEntry();
    while (first != null && Names.comparePaths(first.getValue().path(), entry.path()) <= 0) {
      remove(first);
      first = coming.firstEntry();
    }
  }

  /** Takes the entry of a number; null where there is none, or the stream is past it. */
  synchronized @Nullable Entry take(long number) {
    Map.Entry<Long, Entry> first = coming.firstEntry();
    while (first != null && first.getKey() < number) {
      remove(first);
      first = coming.firstEntry();
    }
    if (first == null || first.getKey() != number) {
      return null;
    }
    remove(first);
    return first.getValue();
  }

  private void remove(Map.Entry<Long, Entry> first) {
    coming.remove(first.getKey());
    chars -= chars(first.getValue());
    while (!unlooked.isEmpty() && unlooked.getFirst().number() <= first.getKey()) {
      unlooked.removeFirst();
    }
  }

  synchronized boolean isComing(long number) {
    return !closed && coming.containsKey(number);
  }

  /** Whether every entry has been looked up. */
  synchronized boolean areLooked() {
    return unlooked.isEmpty();
  }

  /** Waits for the next entry to be looked up; null once this is closed. */
  synchronized @Nullable Numbered toLook() throws InterruptedException {
    while (unlooked.isEmpty() && !closed) {
      wait();
    }
    return closed ? null : unlooked.removeFirst();
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
